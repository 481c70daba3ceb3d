"""A subroutine's manifest: from a tree of text with line numbers to checked fields. Knows no YAML."""
