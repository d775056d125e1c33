"""Campaigns that search for programs on which a pass or this verifier goes wrong."""
