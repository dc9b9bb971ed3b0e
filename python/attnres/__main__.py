"""The program behind `//:attnres`, `python -m attnres` and the command of the wheel; cli.py has all of it."""

from attnres import cli

if __name__ == "__main__":
    cli.run()
