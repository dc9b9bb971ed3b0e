"""Sample: a test file without a test."""
