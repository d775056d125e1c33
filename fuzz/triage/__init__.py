"""Triage: the groups of a campaign's findings become causes, each with one small program.

Every group is reduced in a process of its own (`child`), which also finds out what else shows on
the reduced program; `causes` puts together the groups that are one cause, and `draft` writes what
could be sent to those who maintain the compiler.
"""
