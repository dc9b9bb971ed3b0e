"""A pytest plugin: attnres.testing, which no wheel holds, for tests that run against an installed package.

ATTNRES_TESTING names a folder with `testing` and nothing else in it, so that every other module is the installed one.
"""

import os

import attnres

attnres.__path__.append(os.environ["ATTNRES_TESTING"])
