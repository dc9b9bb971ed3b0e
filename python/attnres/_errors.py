"""Exceptions of the package, and the one place that turns an aclnn status into one of them.

The numbers are those of the C interface; docs/aclnnBlockAttentionResidualsGrad.md lists them.
"""

SUCCESS = 0
PARAM_NULLPTR = 161001
PARAM_INVALID = 161002
RUNTIME_ERROR = 361001
TILING_FAILED = 561002
KERNEL_NOT_FOUND = 561003


class AclnnError(RuntimeError):
    """A call that the operator library or its runtime refused or could not finish.

    Attributes:
        code: the aclnn status, e.g. 361001.
        message: one sentence that says what was expected and what came.
    """

    def __init__(self, code: int, message: str):
        super().__init__(f"{message} (aclnn status {code})")
        self.code = code
        self.message = message

    def __reduce__(self):
        return type(self), (self.code, self.message)


class InvalidArgumentError(AclnnError, ValueError):
    """A value that the caller gave is wrong: status 161001 (missing) or 161002 (all else)."""

    def __init__(self, message: str, code: int = PARAM_INVALID):
        super().__init__(code, message)

    def __reduce__(self):
        return type(self), (self.message, self.code)


def raise_for_status(code: int, message: str) -> None:
    """Returns when code is 0, else raises the exception that fits the code."""
    if code == SUCCESS:
        return
    text = message.strip() or "the operator library gave no message"
    if code in (PARAM_NULLPTR, PARAM_INVALID):
        raise InvalidArgumentError(text, code)
    raise AclnnError(code, text)
