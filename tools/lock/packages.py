"""Which wheels the project pins: the input of update.py.

A version goes with the CPythons it serves; an empty list means all from 3.10 to 3.14. Each is as
old as the oldest interpreter allows, so that one API is used everywhere. `index` is the environment
variable that names the index to ask, where pip's own has not the builds that are meant.
"""

_ALL = []

PACKAGES = {
    "absl-py": {
        "doc": "Flags, app and logging of the command line.",
        "licence": "Apache-2.0",
        "versions": [("2.3.1", _ALL)],
    },
    "attrs": {"doc": "Needed by hypothesis.", "licence": "MIT", "versions": [("25.3.0", _ALL)]},
    "bazel-runfiles": {
        "doc": "Finds runfiles, by tree and by manifest.",
        "licence": "Apache-2.0",
        "versions": [("1.6.0", _ALL)],
    },
    "clang-format": {
        "doc": "Formatter of C++ sources; lint only.",
        "licence": "Apache-2.0 WITH LLVM-exception",
        "versions": [("20.1.8", _ALL)],
    },
    "contourpy": {
        "doc": "Needed by matplotlib.",
        "licence": "BSD-3-Clause",
        "versions": [("1.3.2", ["3.10"]), ("1.3.3", ["3.11", "3.12", "3.13", "3.14"])],
    },
    "cycler": {
        "doc": "Needed by matplotlib.",
        "licence": "BSD-3-Clause",
        "versions": [("0.12.1", _ALL)],
    },
    "exceptiongroup": {
        "doc": "Needed by pytest and hypothesis on CPython 3.10.",
        "licence": "MIT AND PSF-2.0",
        "versions": [("1.3.0", _ALL)],
    },
    "filelock": {
        "doc": "Needed by torch.",
        "licence": "Unlicense",
        "versions": [("3.19.1", _ALL)],
    },
    "fonttools": {
        "doc": "Needed by matplotlib.",
        "licence": "MIT",
        "versions": [("4.60.1", _ALL)],
    },
    "fsspec": {
        "doc": "Needed by torch.",
        "licence": "BSD-3-Clause",
        "versions": [("2025.9.0", _ALL)],
    },
    "hypothesis": {
        "doc": "Property tests.",
        "licence": "MPL-2.0",
        "versions": [("6.138.15", _ALL)],
    },
    "iniconfig": {"doc": "Needed by pytest.", "licence": "MIT", "versions": [("2.1.0", _ALL)]},
    "jax": {
        "doc": "Peer of `attnres bench`; fetched where it is named.",
        "licence": "Apache-2.0",
        "versions": [("0.6.2", ["3.10"]), ("0.8.1", ["3.11", "3.12", "3.13", "3.14"])],
    },
    "jaxlib": {
        "doc": "Compiled part of jax.",
        "licence": "Apache-2.0",
        "versions": [("0.6.2", ["3.10"]), ("0.8.1", ["3.11", "3.12", "3.13", "3.14"])],
    },
    "jinja2": {
        "doc": "Needed by torch.",
        "licence": "BSD-3-Clause",
        "versions": [("3.1.6", _ALL)],
    },
    "kiwisolver": {
        "doc": "Needed by matplotlib.",
        "licence": "BSD-3-Clause",
        "versions": [("1.4.9", _ALL)],
    },
    "markdown-it-py": {"doc": "Needed by rich.", "licence": "MIT", "versions": [("3.0.0", _ALL)]},
    "markupsafe": {
        "doc": "Needed by jinja2.",
        "licence": "BSD-3-Clause",
        "versions": [("3.0.3", _ALL)],
    },
    "matplotlib": {
        "doc": "Charts of `attnres bench --plot`.",
        "licence": "PSF-2.0 (matplotlib licence)",
        "versions": [("3.10.7", _ALL)],
    },
    "mdurl": {"doc": "Needed by markdown-it-py.", "licence": "MIT", "versions": [("0.1.2", _ALL)]},
    "ml-dtypes": {
        "doc": "bfloat16 for NumPy.",
        "licence": "Apache-2.0",
        "versions": [("0.5.4", _ALL)],
    },
    "mpmath": {
        "doc": "Needed by sympy.",
        "licence": "BSD-3-Clause",
        "versions": [("1.3.0", _ALL)],
    },
    "networkx": {
        "doc": "Needed by torch.",
        "licence": "BSD-3-Clause",
        "versions": [("3.4.2", _ALL)],
    },
    "numpy": {
        "doc": "Arrays of the Python interface.",
        "licence": "BSD-3-Clause",
        "versions": [("2.2.6", ["3.10"]), ("2.3.5", ["3.11", "3.12", "3.13", "3.14"])],
    },
    "opt-einsum": {
        "doc": "Needed by jax.",
        "licence": "MIT",
        "versions": [("3.4.0", _ALL)],
    },
    "packaging": {
        "doc": "Needed by pytest.",
        "licence": "Apache-2.0 OR BSD-2-Clause",
        "versions": [("25.0", _ALL)],
    },
    "pillow": {
        "doc": "Needed by matplotlib.",
        "licence": "MIT-CMU",
        "versions": [("12.0.0", _ALL)],
    },
    "pluggy": {"doc": "Needed by pytest.", "licence": "MIT", "versions": [("1.6.0", _ALL)]},
    "pybind11": {
        "doc": "C++ to Python bindings (headers only).",
        "licence": "BSD-3-Clause",
        "versions": [("3.0.1", _ALL)],
    },
    "pygments": {
        "doc": "Needed by pytest and rich.",
        "licence": "BSD-2-Clause",
        "versions": [("2.19.2", _ALL)],
    },
    "pyparsing": {
        "doc": "Needed by matplotlib.",
        "licence": "MIT",
        "versions": [("3.2.5", _ALL)],
    },
    "pytest": {"doc": "Python test runner.", "licence": "MIT", "versions": [("8.4.2", _ALL)]},
    "python-dateutil": {
        "doc": "Needed by matplotlib.",
        "licence": "Apache-2.0 AND BSD-3-Clause",
        "versions": [("2.9.0.post0", _ALL)],
    },
    "rich": {
        "doc": "Tables of the command line.",
        "licence": "MIT",
        "versions": [("14.1.0", _ALL)],
    },
    "ruff": {
        "doc": "Linter and formatter of Python sources; lint only.",
        "licence": "MIT",
        "versions": [("0.13.0", _ALL)],
    },
    "safetensors": {
        "doc": "File format of the captures.",
        "licence": "Apache-2.0",
        "versions": [("0.6.2", _ALL)],
    },
    "scipy": {
        "doc": "Needed by jax.",
        "licence": "BSD-3-Clause",
        "versions": [("1.15.3", ["3.10"]), ("1.16.3", ["3.11", "3.12", "3.13", "3.14"])],
    },
    "setuptools": {
        "doc": "Needed by torch, which imports it to find a C++ compiler.",
        "licence": "MIT",
        "versions": [("80.9.0", _ALL)],
    },
    "six": {
        "doc": "Needed by python-dateutil.",
        "licence": "MIT",
        "versions": [("1.17.0", _ALL)],
    },
    "sortedcontainers": {
        "doc": "Needed by hypothesis.",
        "licence": "Apache-2.0",
        "versions": [("2.4.0", _ALL)],
    },
    "sympy": {
        "doc": "Needed by torch.",
        "licence": "BSD-3-Clause",
        "versions": [("1.14.0", _ALL)],
    },
    "tomli": {
        "doc": "Needed by pytest on CPython 3.10.",
        "licence": "MIT",
        "versions": [("2.2.1", _ALL)],
    },
    "torch": {
        "doc": "Peer of `attnres bench` and of the accuracy test: the CPU builds, which have an index of their own.",
        "index": "ATTNRES_TORCH_INDEX",
        "licence": "BSD-3-Clause",
        "versions": [("2.13.0+cpu", ["3.11", "3.12", "3.13", "3.14"])],
    },
    "typing-extensions": {
        "doc": "Needed by exceptiongroup.",
        "licence": "PSF-2.0",
        "versions": [("4.15.0", _ALL)],
    },
    "wheel": {
        "doc": "Writes the project's own wheel.",
        "licence": "MIT",
        "versions": [("0.45.1", _ALL)],
    },
    "ziglang": {
        "doc": "The C++ toolchain: the ziglang wheel (clang 19, lld, libc++, stubs of glibc).",
        "folder": "toolchain",
        "licence": "MIT; glibc stubs LGPL-2.1-or-later; libc++ Apache-2.0 WITH LLVM-exception",
        "versions": [("0.14.1", _ALL)],
    },
}
