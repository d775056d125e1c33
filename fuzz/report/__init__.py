"""Reports of campaigns: a page, the same as JSON, and a summary for a terminal."""
