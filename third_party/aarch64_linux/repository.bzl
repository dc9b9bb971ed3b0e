"""Repository @aarch64_linux: where aarch64 programs of glibc run on another machine, under qemu-user.

`root` has Debian's C library and CPython for arm64, as the machine's own release of Debian has them; apt checks their
signatures, without root and in lists of its own. `site` has the pinned wheels that the package needs, for arm64. Only
--config=aarch64 and the tests of the aarch64 wheel fetch it. On an aarch64 machine `root` stays empty.
"""

load("//third_party/ml_dtypes:pin.bzl", ML_DTYPES = "PIN")
load("//third_party/numpy:pin.bzl", NUMPY = "PIN")
load("//third_party/python:wheel.bzl", "encode_releases", "fetch_wheel")
load("//third_party/safetensors:pin.bzl", SAFETENSORS = "PIN")

_FETCH_ROOT = """
set -eu
site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -E '/debian/?$' | head -n 1)
test -n "$site" || { echo "no Debian mirror in the sources of apt" >&2; exit 1; }
mkdir -p apt/lists/partial apt/cache/archives/partial
touch apt/status
. /etc/os-release
key=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [arch=arm64 signed-by=$key] $site $VERSION_CODENAME main" > apt/sources.list
set -- -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root -o Acquire::Languages=none \
  -o Dir::Etc::SourceList="$PWD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
  -o Dir::State="$PWD/apt" -o Dir::State::Lists="$PWD/apt/lists" -o Dir::State::status="$PWD/apt/status" \
  -o Dir::Cache="$PWD/apt/cache"
apt-get -qq "$@" update
apt-get -qq "$@" --yes install --download-only --no-install-recommends python3 libstdc++6
mkdir -p root
for package in apt/cache/archives/*.deb; do dpkg-deb --extract "$package" root; done
# Nobody starts what makes these, and dangling or absolute links would lead out of the folder.
find root -xtype l -delete
rm -rf apt root/var root/usr/share/doc
# Releases that merged /lib into /usr/lib leave the link to the package base-files.
test -e root/lib || ln -s usr/lib root/lib
"""

_BUILD = """package(default_visibility = ["//visibility:public"])

# Folders of thousands of files, each as one input.
exports_files([
    "root",
    "site",
])

sh_binary(
    name = "run",
    srcs = ["run.sh"],
    data = ["root"],
)
"""

_WHEELS = [ML_DTYPES, NUMPY, SAFETENSORS]

def _aarch64_linux_impl(repository_ctx):
    repository_ctx.file("site/README", "Wheels for aarch64.\n", executable = False)
    repository_ctx.file("root/README", "Debian for arm64.\n", executable = False)
    repository_ctx.symlink(repository_ctx.attr.run, "run.sh")
    repository_ctx.file("BUILD.bazel", _BUILD, executable = False)
    if repository_ctx.execute(["uname", "-m"]).stdout.strip() == "aarch64":
        return
    result = repository_ctx.execute(["sh", "-c", _FETCH_ROOT], timeout = 600)
    if result.return_code != 0:
        # No failure: who fetches everything need not be able to run this. What starts a program says it.
        repository_ctx.delete("root")
        repository_ctx.file("root/NOT_INSTALLED", "Debian's packages for arm64 could not be fetched with apt-get ({}); fetch again: bazel sync --only=aarch64_linux\n".format(result.stderr.strip()), executable = False)
        return
    for pin in _WHEELS:
        fetch_wheel(repository_ctx, pin.package, encode_releases(pin), "site", machine = "aarch64")

_aarch64_linux = repository_rule(
    implementation = _aarch64_linux_impl,
    attrs = {"run": attr.label(default = "//third_party/aarch64_linux:run.sh", allow_single_file = True)},
)

def aarch64_linux():
    """Declares @aarch64_linux: `run`, which starts an aarch64 program, and the folders `root` and `site`."""
    _aarch64_linux(name = "aarch64_linux")
