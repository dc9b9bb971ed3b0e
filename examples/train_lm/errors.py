"""What the program refuses."""


class InputError(Exception):
    """The caller's input is wrong; the text is one sentence that names the flag, what was expected and what came."""
