"""What can be asked: the shared words, errors and subroutine files. Imports none of the other packages."""
