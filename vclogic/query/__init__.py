"""One function per question; `Game` is the public way in."""
