"""googletest: one archive with two sources, the same bytes (see archive.bzl)."""

PIN = struct(
    version = "1.12.1",
    licence = "BSD-3-Clause",
    url = "https://github.com/google/googletest/archive/release-1.12.1.tar.gz",
    sha256 = "81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2",
    strip_prefix = "googletest-release-1.12.1",
    debian_version = "1.12.1-0.2",
    debian_suite = "bookworm",
)
