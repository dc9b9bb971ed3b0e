"""First Python code of every program: makes sys.path from runfiles alone, then runs the main file.

The launcher beside it starts the interpreter with -I -S and says where the runfiles are. Where
only a manifest exists, a tree of links is made in a temporary folder for the life of the process.
"""

import os
import runpy
import sys


def _tree_from_manifest(manifest):
    """Links every file of a runfiles manifest into a new folder; returns the folder."""
    import atexit
    import shutil
    import tempfile

    root = tempfile.mkdtemp(prefix="runfiles_")
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    with open(manifest, encoding="utf-8") as lines:
        for line in lines:
            name, _, target = line.rstrip("\n").partition(" ")
            link = os.path.join(root, name)
            os.makedirs(os.path.dirname(link), exist_ok=True)
            if target:
                os.symlink(target, link)
            else:
                open(link, "w").close()
    return root


def main():
    runfiles, manifest, main_file, imports = sys.argv[1:5]
    if runfiles:
        os.environ["RUNFILES_DIR"] = runfiles
    else:
        runfiles = _tree_from_manifest(manifest)
        os.environ["RUNFILES_MANIFEST_FILE"] = os.path.abspath(manifest)
        os.environ.pop("RUNFILES_DIR", None)
    own = os.path.dirname(os.path.abspath(__file__))
    standard = [entry for entry in sys.path if entry and os.path.abspath(entry) != own]
    sys.path[:] = [os.path.join(runfiles, entry) for entry in imports.split(":")] + standard
    path = os.path.join(runfiles, main_file)
    sys.argv[:] = [path] + sys.argv[5:]
    runpy.run_path(path, run_name="__main__")


main()
