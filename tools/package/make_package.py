"""Makes a custom operator package: a shell script with what it installs behind it, one file.

    make_package.py REQUEST.json OUTPUT.run

The request names the vendor, the version, the files (path in the vendor's folder: source) and for
each SoC the operator info that cc/host/operator_info.h describes. Equal requests give equal bytes:
entries are sorted, and owner, time and mode of the sources do not count. run_header.sh beside it is
the script; its options are a custom operator package's.
"""

import configparser
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile

_HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_header.sh")
# Where the operators' family has its custom packages: vendors/<vendor>_transformer.
SUFFIX = "_transformer"
# Lists what was installed, for --uninstall.
_FILE_LIST = "scripts/files.txt"
_PROGRAMS = (".so", ".bash")


def operator_info_json(text):
    """The JSON of a package from operator info as lines `input0.dtype=float16` below `[OpType]`."""
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    parser.optionxform = str
    parser.read_string(text)
    operators = {}
    for op_type in parser.sections():
        operator = operators[op_type] = {}
        for key, value in parser.items(op_type):
            group, _, name = key.partition(".")
            operator.setdefault(group, {})[name] = value
    return json.dumps(operators, indent=4, sort_keys=True) + "\n"


def _payload(folder, contents):
    """A tar.gz of {path: bytes} below vendors/<folder>, the same for the same contents."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=buffer, mode="wb", mtime=0) as compressed:
        with tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path in sorted(contents):
                entry = tarfile.TarInfo("vendors/%s/%s" % (folder, path))
                entry.size = len(contents[path])
                entry.mode = 0o755 if path.endswith(_PROGRAMS) else 0o644
                archive.addfile(entry, io.BytesIO(contents[path]))
    return buffer.getvalue()


def make_package(vendor, contents):
    """The bytes of a package.

    Args:
      vendor: whose name the folder gets: letters, digits and underscores.
      contents: {path in the vendor's folder: bytes}.
    """
    contents = dict(contents)
    contents[_FILE_LIST] = "".join("%s\n" % path for path in sorted([*contents, _FILE_LIST])).encode()
    with open(_HEADER, encoding="utf-8") as file:
        header = file.read()
    header = header.replace("@vendor@", vendor).replace("@folder@", vendor + SUFFIX)
    header = header.replace("@payload_line@", str(header.count("\n") + 1))
    first, digest_line, rest = header.encode().split(b"\n", 2)
    rest += _payload(vendor + SUFFIX, contents)
    digest = hashlib.sha256(first + b"\n" + rest).hexdigest()
    return b"\n".join([first, digest_line.replace(b"@sha256@", digest.encode()), rest])


def main(arguments):
    request_path, output = arguments
    with open(request_path, encoding="utf-8") as file:
        request = json.load(file)
    contents = {"version.info": ("version=%s\n" % request["version"]).encode()}
    for path, source in request["files"].items():
        with open(source, "rb") as file:
            contents[path] = file.read()
    for soc, source in request["operator_info"].items():
        with open(source, encoding="utf-8") as file:
            path = "op_impl/ai_core/tbe/config/%s/aic-%s-ops-info.json" % (soc, soc)
            contents[path] = operator_info_json(file.read()).encode()
    with open(output, "wb") as file:
        file.write(make_package(request["vendor"], contents))
    os.chmod(output, 0o755)


if __name__ == "__main__":
    main(sys.argv[1:])
