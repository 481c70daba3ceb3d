"""The history of the schema, run by Alembic from ``database.py``. Never edit a released version."""

HEAD = "0006"
"""The newest version's id; kept here so that an up-to-date database starts without Alembic (a test
compares)."""
