"""Sample: prints as JSON where modules come from, the paths searched, and a declared file's text."""

import json
import sys

import absl.flags
import numpy
from runfiles import Runfiles


def main():
    declared = Runfiles.Create().Rlocation("attnres/tools/build_defs/testing/declared.txt")
    with open(declared, encoding="utf-8") as text:
        content = text.read()
    print(
        json.dumps(
            {
                "absl": absl.flags.__file__,
                "arguments": sys.argv[1:],
                "declared": content,
                "json": json.__file__,
                "numpy": numpy.__file__,
                "path": sys.path,
                "site": "site" in sys.modules,
            }
        )
    )


if __name__ == "__main__":
    main()
