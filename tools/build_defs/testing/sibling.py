"""Sample: a module beside undeclared_import_test."""
