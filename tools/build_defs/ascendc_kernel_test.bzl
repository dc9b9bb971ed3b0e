"""ascendc_kernel_test: any kernel under check mode, described in a BUILD file.

    ascendc_kernel_test(
        name = "scale_check_test",
        src = "scale.cpp",
        entry = "scale",
        args = [
            ascendc_input("x", "float16", 5 * 1000),
            ascendc_output("y", "float16", 5 * 1000),
            ascendc_workspace(0),
            ascendc_tiling([("uint32", "rows", 5), ("uint32", "columns", 1000)]),
        ],
        blocks = 4,
    )

The arguments stand in the order of the kernel's parameters. docs/check_mode.md explains the findings.
Numbers may be given as text, such as "0.5", where BUILD files know no fractions.
"""

load(":ascendc.bzl", "kernel_build")
load(":ascendc_units.bzl", "ARCHS", "DTYPES")
load(":cc.bzl", "attnres_cc_test")
load(":cc_rules.bzl", "cc_library")

# The SoC that a test runs on if it does not say.
_SOCS = {"arch22": "ascend910b", "arch35": "ascend950"}

_ORDERS = {
    "eager": "kEager",
    "late-in": "kLateIn",
    "late-out": "kLateOut",
    "late-vector": "kLateVector",
    "late-copies": "kLateCopies",
}

def _argument(kind, name = "", dtype = "uint8", size = 0, **fields):
    elements = 1
    for extent in (size if type(size) == "list" else [size]):
        elements *= extent
    if dtype not in DTYPES:
        fail("dtype of {} is {}; expected one of {}".format(name, dtype, ", ".join(sorted(DTYPES))))
    return struct(kind = kind, name = name, dtype = dtype, elements = elements, fields = fields)

def ascendc_input(name, dtype, size, values = None, file = None, low = -1, high = 1, seed = None):
    """An input in global memory: uniform random values from low to high, if nothing else is said.

    Args:
      name: for findings.
      dtype: float16, bfloat16, float32 or an integer type such as int32.
      size: elements, or a list of extents.
      values: numbers, repeated to the end.
      file: label of a .npy file of that dtype (bfloat16 as any two-byte type) and size, in C order.
      low: of random values.
      high: of random values.
      seed: of random values; inputs of a test differ without one.
    """
    return _argument("Input", name, dtype, size, values = values, file = file, low = low, high = high, seed = seed)

def ascendc_output(name, dtype, size, values = None, expected = None, expected_file = None, tolerance = 0):
    """An output in global memory, in which nothing has been written before the launch.

    Args:
      name: for findings.
      dtype: as for ascendc_input.
      size: elements, or a list of extents.
      values: what it holds before the launch instead, for a kernel that adds to it.
      expected: numbers that it must hold afterwards, repeated to the end.
      expected_file: a .npy file with them.
      tolerance: each may be off by tolerance * max(1, |expected|).
    """
    return _argument(
        "Output",
        name,
        dtype,
        size,
        values = values,
        expected = expected,
        expected_file = expected_file,
        tolerance = tolerance,
    )

def ascendc_workspace(size, zeroed = False):
    """The workspace.

    Args:
      size: bytes; 0 gives the kernel a null pointer.
      zeroed: the host has cleared it, as for SyncAll with a workspace.
    """
    if size == 0:
        return _argument("Null", "workspace")
    return _argument("Workspace", "of the launch", "uint8", size, values = [0] if zeroed else None)

def ascendc_tiling(fields):
    """Tiling data, laid out as a C++ struct of these fields.

    Args:
      fields: (dtype, name, number), or (dtype, name, [numbers]) for an array.
    """
    return _argument("Tiling", "of the launch", tiling = fields)

def ascendc_value(dtype, number):
    """A parameter by value, of an integer type or float32."""
    return _argument("Value", "value", dtype, tiling = [(dtype, "value", number)])

def _numbers(values):
    return "{" + ", ".join([str(value) for value in values or []]) + "}"

def _struct_fields(fields):
    """Members and initialisers of a struct; its layout is C++'s own."""
    members, values = [], []
    for dtype, name, number in fields:
        is_list = type(number) == "list"
        members.append("{} {}{};".format(DTYPES[dtype].type, name, "[%d]" % len(number) if is_list else ""))
        values.append(_numbers(number) if is_list else str(number))
    return " ".join(members), ", ".join(values)

def _file(ctx, label):
    """The path of a file below the test's runfiles, as a C++ string."""
    for target, text in ctx.attr.files.items():
        if text == label:
            return "\"{}\"".format(target[DefaultInfo].files.to_list()[0].short_path)
    return "\"\""

def _fill(values, file, random):
    return "Fill::k" + ("File" if file else "Values" if values != None else "Uniform" if random else "Nothing")

def _argument_lines(ctx, index, argument):
    """The declaration of plain data, and the line of the table."""
    fields = argument["fields"]
    declaration, data = [], ["nullptr", "0"]
    if fields.get("tiling"):
        members, values = _struct_fields(fields["tiling"])
        declaration.append("const struct {{ {} }} kData{} = {{{}}};".format(members, index, values))
        data = ["&kData{}".format(index), "sizeof(kData{})".format(index)]
    seed = fields.get("seed")
    columns = [
        "ArgumentKind::k" + argument["kind"],
        "\"{}\"".format(argument["name"]),
        "\"{}\"".format(argument["dtype"]),
        str(argument["elements"]),
        _fill(fields.get("values"), fields.get("file"), argument["kind"] == "Input"),
        str(index + 1 if seed == None else seed),
        str(fields.get("low", 0)),
        str(fields.get("high", 0)),
        _numbers(fields.get("values")),
        _file(ctx, fields.get("file")),
        _fill(fields.get("expected"), fields.get("expected_file"), False),
        _numbers(fields.get("expected")),
        _file(ctx, fields.get("expected_file")),
        str(fields.get("tolerance", 0)),
    ] + data
    return declaration, "        {" + ", ".join(columns) + "},"

def _kernel_test_source_impl(ctx):
    spec = json.decode(ctx.attr.spec)
    declarations, table = [], []
    for index, argument in enumerate(spec["arguments"]):
        declaration, line = _argument_lines(ctx, index, argument)
        declarations += declaration
        table.append(line)
    lines = [
        "// Generated by ascendc_kernel_test.",
        "#include <string>",
        "#include \"{}\"".format(ctx.file.header.short_path),
        "#include \"cc/ascendc/testing/kernel_test.h\"",
        "#include \"gtest/gtest.h\"",
        "namespace attnres::testing {",
        "namespace {",
        "using checks::Order;",
    ] + declarations + [
        "const KernelTest& Described() {",
        "  static const auto* test = new KernelTest{{\"{}\", &{}_observed_entry, \"{}\", {}, {}, {},".format(
            spec["entry"],
            spec["entry"],
            spec["soc"],
            spec["blocks"],
            spec["tiling_key"],
            "true" if spec["auto_sync"] else "false",
        ),
        "      {" + ", ".join(["Order::" + _ORDERS[order] for order in spec["orders"]]) + "},",
        "      {",
    ] + table + [
        "      },",
        "      {" + ", ".join(["\"{}\"".format(finding) for finding in spec["expected_findings"]]) + "}};",
        "  return *test;",
        "}",
        "TEST(AscendcKernelTest, {}) {{".format(ctx.attr.case.replace("-", "_").replace(".", "_")),
        "  const std::string wrong = RunKernelTest(Described());",
        "  if (!wrong.empty()) FAIL() << wrong;",
        "  if (IsTraceAskedFor()) GTEST_SKIP() << \"only traced: without ASCENDC_TRACE faults are looked for\";",
        "}",
        "}",
        "}",
    ]
    ctx.actions.write(ctx.outputs.out, "\n".join(lines) + "\n")

_kernel_test_source = rule(
    implementation = _kernel_test_source_impl,
    attrs = {
        "case": attr.string(mandatory = True),
        "files": attr.label_keyed_string_dict(allow_files = True),
        "header": attr.label(allow_single_file = True, mandatory = True),
        "out": attr.output(mandatory = True),
        "spec": attr.string(mandatory = True),
    },
)

def ascendc_kernel_test(
        name,
        src,
        entry,
        args,
        arch = "arch22",
        soc = None,
        blocks = 1,
        tiling_key = 0,
        auto_sync = True,
        orders = [],
        expected_findings = [],
        deps = [],
        hdrs = [],
        copts = [],
        **kwargs):
    """Runs one kernel under check mode; fails with the findings, or where an expected one is missing.

    Args:
      name: the test's name.
      src: the kernel's source, as it would be given to a CANN toolkit.
      entry: name of its __global__ function.
      args: one of ascendc_input, _output, _workspace, _tiling and _value for each of its parameters.
      arch: arch22 or arch35.
      soc: the SoC that gives cores and UB; of the arch if not given.
      blocks: of the launch.
      tiling_key: for TILING_KEY_IS.
      auto_sync: the compiler's own synchronisation is on, as is its default.
      orders: of eager, late-in, late-out, late-vector, late-copies; eager and late-copies if empty.
      expected_findings: "rule@file:line" each (the file's path may be shortened from the left), "rule@" for one without
        a place. The test fails for other findings, and for one of these that is missing.
      deps: libraries that the source includes.
      hdrs: headers that it includes.
      copts: flags, such as -D of a tiling constant.
      **kwargs: common attributes of tests (size, tags, visibility).
    """
    for order in orders:
        if order not in _ORDERS:
            fail("orders has {}; expected {}".format(order, ", ".join(_ORDERS)))
    if arch not in ARCHS:
        fail("arch is {}; expected {}".format(arch, " or ".join(sorted(ARCHS))))
    files = {}
    for argument in args:
        for attribute in ["file", "expected_file"]:
            label = getattr(argument, "fields").get(attribute)
            if label:
                files[label] = label
    private = ["//visibility:private"]
    cc_library(
        name = name + "_files",
        textual_hdrs = [src] + hdrs,
        visibility = private,
    )
    kernel_build(
        name = name + "_kernel",
        src = src,
        arch = arch,
        copts = copts,
        entry = entry,
        observed = True,
        tags = [],
        visibility = private,
        deps = deps + [":" + name + "_files"],
    )
    _kernel_test_source(
        name = name + "_source",
        testonly = True,
        case = name,
        files = files,
        header = name + "_kernel.h",
        out = name + ".cc",
        spec = json.encode(struct(
            arguments = args,
            auto_sync = auto_sync,
            blocks = blocks,
            entry = entry,
            expected_findings = expected_findings,
            orders = orders,
            soc = soc or _SOCS[arch],
            tiling_key = tiling_key,
        )),
        visibility = private,
    )
    attnres_cc_test(
        name = name,
        srcs = [name + ".cc"],
        data = files.keys(),
        deps = [
            ":" + name + "_kernel",
            Label("//cc/ascendc/testing:kernel_test"),
        ],
        **kwargs
    )
