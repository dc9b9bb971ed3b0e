"""Formats the source tree with the pinned formatters; arguments limit it to paths that start so.

Started by `tools/format/run`. tools/lint/lint.py checks what this repairs.
"""

import subprocess
import sys

from tools.lint import formatters


def main(prefixes):
    code = 0
    for name, command, files in formatters.commands(fix=True):
        chosen = [file for file in files if not prefixes or file.startswith(tuple(prefixes))]
        if chosen:
            done = subprocess.run(command + chosen, cwd=formatters.workspace())
            print("format: %s: %d files" % (name, len(chosen)))
            code = code or done.returncode
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
