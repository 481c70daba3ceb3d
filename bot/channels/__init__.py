"""The channels a person can write in; each module is the only one that knows its provider."""
