"""Makes a module smaller while the same thing still happens on it.

`search` tries smaller modules, `edits` and its neighbours make them, `cause` says what the same
thing is, `judge` finds out whether it happens, and `written` turns the result into a file.
"""
