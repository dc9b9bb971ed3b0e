"""The Python rules of the running Bazel, under one name each. Nothing else may use native.py_*."""

py_library = native.py_library
PyLibraryInfo = PyInfo
