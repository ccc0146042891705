"""The table of all statements, and what each sort of part is read and written with."""
