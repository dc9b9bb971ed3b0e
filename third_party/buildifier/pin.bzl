"""buildifier: formatter of BUILD and .bzl files; lint only. An npm package carries the binaries."""

PIN = struct(
    package = "@bazel/buildifier",
    version = "8.2.1",
    licence = "Apache-2.0",
    archive = "bazel-buildifier-8.2.1.tgz",
    sha256 = "b96ea9b13003036c801f52bee6f9b0314738f8432e5cb9d814c89f59292604ee",
)
