"""Repository @googletest: from the pinned URL, else from Debian's source package.

The .orig.tar.gz of Debian's package is the upstream archive byte for byte, so one sha256 covers
both. The second way needs apt-get and a Debian mirror, no root: lists and cache are private.
"""

load("//third_party:build_file.bzl", "write_build_file")
load(":pin.bzl", "PIN")

_FROM_DEBIAN = """
set -eu
site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -E '/debian/?$' | head -n 1)
test -n "$site" || { echo "no Debian mirror in the sources of apt" >&2; exit 1; }
mkdir -p apt/lists/partial apt/cache/archives/partial
touch apt/status
# trusted: what is fetched is checked against the pinned sha256 afterwards.
echo "deb-src [trusted=yes] $site $1 main" > apt/sources.list
set -- "$2" -o APT::Sandbox::User=root -o Dir::Etc::SourceList="$PWD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
  -o Dir::State="$PWD/apt" -o Dir::State::Lists="$PWD/apt/lists" -o Dir::State::status="$PWD/apt/status" -o Dir::Cache="$PWD/apt/cache"
package=$1
shift
apt-get -qq "$@" update
apt-get -qq "$@" source --download-only "$package"
"""

def _googletest_impl(repository_ctx):
    got = repository_ctx.download(
        url = [PIN.url],
        output = "upstream.tar.gz",
        sha256 = PIN.sha256,
        allow_fail = True,
    )
    archive = "upstream.tar.gz"
    if not got.success:
        repository_ctx.report_progress("from Debian's source package")
        result = repository_ctx.execute(
            ["sh", "-c", _FROM_DEBIAN, "sh", PIN.debian_suite, "googletest=" + PIN.debian_version],
            timeout = 600,
        )
        archive = "googletest_{}.orig.tar.gz".format(PIN.version)
        if result.return_code != 0 or not repository_ctx.path(archive).exists:
            fail("googletest {}: neither {} nor Debian's source package {} can be fetched: {}\nPut the archive (sha256 {}) into a folder and pass --distdir=FOLDER.".format(
                PIN.version,
                PIN.url,
                PIN.debian_version,
                result.stderr.strip(),
                PIN.sha256,
            ))
    repository_ctx.download_and_extract(
        url = "file://" + str(repository_ctx.path(archive)),
        sha256 = PIN.sha256,
        stripPrefix = PIN.strip_prefix,
        type = "tar.gz",
    )
    for leftover in (archive, "apt"):
        repository_ctx.delete(leftover)
    write_build_file(repository_ctx, repository_ctx.read(repository_ctx.attr.overlay))

_googletest = repository_rule(
    implementation = _googletest_impl,
    attrs = {"overlay": attr.label(default = "//third_party/googletest:overlay.BUILD")},
)

def googletest():
    """Declares @googletest."""
    _googletest(name = "googletest")
