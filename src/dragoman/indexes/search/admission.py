"""How many searches run at the same time in this process."""

from threading import BoundedSemaphore

from dragoman.processors import cores

# More than there are cores wait for each other's caches and for Python's lock: eight threads on two
# cores answered 185 queries a second without this bound, two threads 256.
ADMITTED = BoundedSemaphore(cores())
