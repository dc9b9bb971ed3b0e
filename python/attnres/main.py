"""The program behind `//:attnres`; all of it is in cli.py, which tests can import."""

from attnres import cli

if __name__ == "__main__":
    cli.run()
