"""The command line: exit codes, one sentence for each fault, JSON alone on stdout, flags that never clash."""

import json
import os
import pathlib
import signal
import subprocess

import ml_dtypes
import numpy as np
import pytest
from absl import flags

import attnres
from attnres import _checks, _dtypes, _libraries, _reference, _tensor_files, cli
from attnres.testing import cases, spec_tiling
from attnres.testing import inputs as testing_inputs
from attnres.testing.bits import same_bits

# The program itself, for what only a process of its own shows: it lies beside the package.
PROGRAM = pathlib.Path(attnres.__file__).with_name("cli")


@pytest.fixture
def run(capsys):
    """Runs main in this process; returns exit code, stdout and stderr."""

    def call(*arguments):
        code = cli.main(["attnres", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def files(tmp_path):
    """Paths of a small right input and its float64 results, float16."""
    inputs = testing_inputs.make_inputs(3, 2, 17, _dtypes.main_dtype("float16"))
    golden = {f"expected.{name}": value for name, value in _reference.evaluate(inputs).items()}
    golden = {name: np.ascontiguousarray(value) for name, value in golden.items()}
    paths = {"input": str(tmp_path / "x.safetensors"), "expected": str(tmp_path / "y.safetensors")}
    _tensor_files.write(paths["input"], inputs)
    _tensor_files.write(paths["expected"], golden)
    return paths | {"inputs": inputs, "golden": golden}


def assert_refused(result, *texts):
    """Exit 2, nothing on stdout, one sentence and no traceback on stderr."""
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.startswith("attnres") and "Traceback" not in err
    first, _, rest = err.partition("\n")
    assert rest == "" or rest.lstrip().startswith("usage: ")
    for text in texts:
        assert text in first


def test_version(run):
    assert run("--version") == (0, f"attnres {attnres.__version__}\n", "")


def test_no_command_and_unknown_command(run):
    assert_refused(run(), "no command is given; expected demo, backward, tiling")
    assert_refused(run("train"), "there is no command 'train'; expected demo, backward, tiling")
    assert "usage: attnres COMMAND" in run("train")[2]


@pytest.mark.parametrize("word", ["help", "--help", "-h"])
def test_help_lists_the_commands(run, word):
    code, out, err = run(word)
    assert (code, err) == (0, "")
    assert all(f"\n  {name}" in out for name in cli.COMMANDS)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_of_a_command_lists_its_flags(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert "--json" in out and "--log_level" in out and out.startswith(f"usage: attnres {command}")


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_unknown_flag_shows_usage(run, command):
    result = run(command, "--tokns=3")
    assert_refused(result, f"attnres {command}: Unknown command line flag 'tokns'")
    assert f"usage: attnres {command}" in result[2]


def test_faults_of_flags(run):
    assert_refused(run("tiling", "--tokens=x"), "flag --tokens=x")
    assert_refused(run("tiling", "stray"), "argument 'stray' is not expected")
    assert_refused(run("tiling", "--log_level=4"), "log_level")
    assert_refused(run("tiling", "--tokens=1", "--blocks=1"), "tiling needs --hidden")
    assert_refused(run("backward"), "backward needs --input")


def test_no_flag_is_declared_globally():
    """Importing the package declares nothing, so nothing can clash or be read before parsing."""
    own = {name for name in flags.FLAGS if flags.FLAGS.find_module_defining_flag(name).startswith("attnres")}
    assert own == set()


TILING = ("tiling", "--tokens=2", "--blocks=2", "--hidden=8192", "--dtype=float16")


@pytest.mark.parametrize("soc", sorted(spec_tiling.SOC_ARCHS))
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
@pytest.mark.parametrize("hidden", [1, 1168, 8192, 500000])
def test_tiling_json(run, soc, dtype, hidden):
    code, out, err = run(
        *("tiling", f"--soc={soc}", "--tokens=97", "--blocks=4"),
        *(f"--hidden={hidden}", f"--dtype={dtype.name}", "--json"),
    )
    assert code == 0 and "UB buffers" in err
    found = json.loads(out)
    expected = spec_tiling.plan(spec_tiling.SOC_ARCHS[soc], 97, 4, hidden, dtype.itemsize)
    assert {name: found[name] for name in expected} == expected
    assert sum(b["count"] * b["bytes"] for b in found["buffers"]) == found["ub_bytes_used"]


def test_tiling_json_of_another_platform(run):
    code, out, _ = run(*TILING, "--core_num=7", "--ub_bytes=100000", "--json")
    expected = spec_tiling.plan("arch35", 2, 2, 8192, 2, core_num=7, ub_bytes=100000)
    found = json.loads(out)
    assert code == 0 and {name: found[name] for name in expected} == expected


def test_tiling_shows_each_buffer(run):
    code, out, err = run(*TILING)
    assert (code, err) == (0, "")
    buffers = json.loads(run(*TILING, "--json")[1])["buffers"]
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines()]
    for buffer in buffers:
        total = buffer["count"] * buffer["bytes"]
        assert [buffer["name"], *map(str, (buffer["count"], buffer["bytes"], total))] in rows
    assert "SPLIT_H" in out and "4096" in out


@pytest.mark.parametrize(
    "flag, text",
    [
        ("--blocks=129", "blocks is 129; expected 0 to 128"),
        ("--tokens=0", "tokens is 0; expected 1 or more"),
        ("--dtype=float64", "dtype is float64; expected float16, bfloat16 or float32"),
        ("--soc=ascend310p", "soc is 'ascend310p'; expected ascend910b, ascend910_93 or ascend950"),
        ("--core_num=0", "core_num is 0; expected 1 or more"),
        ("--ub_bytes=8192", "8192"),
    ],
)
def test_tiling_refuses(run, flag, text):
    assert_refused(run(*TILING, flag, "--json"), text)


@pytest.mark.parametrize("soc", cases.SOCS)
def test_backward_of_a_right_file(run, files, soc):
    code, out, err = run(
        *("backward", f"--input={files['input']}", f"--expected={files['expected']}"),
        *(f"--soc={soc}", "--json"),
    )
    assert code == 0, err
    found = json.loads(out)
    assert found["right"] is True and found["path"] == "FULL_H" and found["soc"] == soc
    assert [o["output"] for o in found["outputs"]] == list(_checks.OUTPUT_NAMES)
    assert all({"mare", "mere", "rmse"} <= o.keys() for o in found["outputs"])


@pytest.mark.parametrize("name", _checks.OUTPUT_NAMES)
def test_backward_finds_one_value_that_is_off_by_one_percent(run, files, name):
    golden = dict(files["golden"])
    altered = golden[f"expected.{name}"].copy()
    position = np.unravel_index(np.argmax(np.abs(altered)), altered.shape)
    altered[position] *= 1.01
    _tensor_files.write(files["expected"], golden | {f"expected.{name}": altered})
    code, out, _ = run("backward", f"--input={files['input']}", f"--expected={files['expected']}")
    assert code == 1
    assert f"{name}[{', '.join(str(int(i)) for i in position)}] is " in out


@pytest.mark.parametrize("suffix", _tensor_files.SUFFIXES)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_backward_writes_what_the_function_returns(run, tmp_path, suffix, dtype):
    inputs = testing_inputs.make_inputs(2, 1, 9, dtype)
    _tensor_files.write(str(tmp_path / f"x{suffix}"), inputs)
    code, _, err = run("backward", f"--input={tmp_path}/x{suffix}", f"--output={tmp_path}/out{suffix}")
    assert (code, err) == (0, "")
    written = _tensor_files.read(str(tmp_path / f"out{suffix}"))
    wanted = attnres.block_attention_residuals_backward(**inputs)._asdict()
    assert written.keys() == wanted.keys()
    assert all(same_bits(written[key], wanted[key]) for key in wanted)


def test_backward_refuses_files(run, files, tmp_path):
    path = str(tmp_path / "bad.npz")

    def refuse(change, *texts, drop=()):
        tensors = {k: v for k, v in (files["inputs"] | change).items() if k not in drop}
        np.savez(path, **tensors)
        assert_refused(run("backward", f"--input={path}", "--json"), *texts)

    refuse({"probz": np.zeros(1)}, path, "no tensor 'probs'; found ", "probz", drop=("probs",))
    refuse({"probs": np.zeros((3, 3))}, "probs has dtype float64; expected float32")
    refuse({"block_res": np.zeros((3, 2, 16), np.float16)}, "block_res.shape[2] (16) does not match")
    refuse({"partial_block": np.zeros((3, 17), np.uint16)}, "partial_block has dtype uint16")
    refuse({"partial_block": np.zeros((3, 17), ml_dtypes.bfloat16)}, "expected bfloat16, the dtype of")
    many = testing_inputs.make_inputs(1, 129, 2, _dtypes.main_dtype("float16"))
    refuse(many, "block_res.shape[1] (129) is out of range; expected 0 to 128")


def test_backward_refuses_flags(run, files, tmp_path):
    given = ("backward", f"--input={files['input']}")
    assert_refused(run("backward", f"--input={tmp_path}/none.npz"), "none.npz does not exist")
    assert_refused(run("backward", f"--input={tmp_path}"), "expected .safetensors or .npz")
    assert_refused(run(*given, "--soc=ascend310p"), "soc is 'ascend310p'; expected ascend910b")
    assert_refused(run(*given, "--threads=0"), "threads is 0")
    assert_refused(run(*given, "--valid_block_num=7"), "valid_block_num is 7; expected -1 or 2")
    assert_refused(run(*given, f"--output={tmp_path}/none/x.npz"), "cannot be written")
    assert_refused(run(*given, f"--output={tmp_path}/x.bin"), "expected .safetensors or .npz")
    assert_refused(run(*given, f"--expected={files['input']}"), "no tensor 'expected.grad_partial_block'")


def test_backward_refuses_goldens(run, files, tmp_path):
    path = str(tmp_path / "z.npz")
    key = "expected.grad_norm_weight"
    for change, text in (
        (files["golden"][key].astype(np.float32), f"{key} has dtype float32; expected float64"),
        (np.zeros(16), f"{key} has shape [16]; expected [17]"),
    ):
        np.savez(path, **(files["golden"] | {key: change}))
        assert_refused(run("backward", f"--input={files['input']}", f"--expected={path}"), text)


def test_demo(run):
    code, out, err = run("demo", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["right"] is True
    dtypes = {(r["dtype"], r["soc"]) for r in found["runs"]}
    assert {(d.name, s) for d in _dtypes.MAIN_DTYPES for s in cases.SOCS} <= dtypes
    assert all(r["path"] == "FULL_H" and r["tile"] == "192 x 1" and r["seconds"] > 0 for r in found["runs"])
    assert "against float64" in err


def test_main_runs_twice_with_the_same_result(run):
    assert run(*TILING, "--json")[1] == run(*TILING, "--json")[1]


def program(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300, check=False, **options)


@pytest.mark.parametrize("arguments", [TILING, (*TILING, "--json"), ("--help",)], ids=["table", "json", "help"])
def test_program_whose_output_goes_nowhere(arguments):
    def run_into(output, *command):
        run = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
        assert "Traceback" not in run.stderr and "Exception" not in run.stderr
        return run

    with open("/dev/full", "wb") as full:
        done = run_into(full, PROGRAM, *arguments)
    assert done.returncode == 2 and done.stderr.endswith("attnres: [Errno 28] No space left on device\n")
    closed = run_into(None, "sh", "-c", '"$@" >&-', "sh", PROGRAM, *arguments)
    assert closed.returncode == 0
    reading, writing = os.pipe()
    os.close(reading)  # a reader that stopped early
    done = run_into(writing, PROGRAM, *arguments)
    os.close(writing)
    assert done.returncode == -signal.SIGPIPE


def test_program_exit_codes_from_the_root_directory():
    done = program(*TILING, "--json", cwd="/")
    assert (done.returncode, json.loads(done.stdout)["path"]) == (0, "SPLIT_H")
    done = program("backward", "--input=none.npz", cwd="/")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "attnres backward: none.npz does not exist; expected a .npz file\n"


def test_program_logs_the_path_where_it_is_asked_to(tmp_path):
    capture = _libraries.locate("data/capture_T128_N4_H192_bfloat16.safetensors")
    arguments = ("backward", f"--input={capture}", "--json")
    quiet = program(*arguments)
    assert quiet.returncode == 0 and "tiling path" not in quiet.stderr + quiet.stdout
    by_flag = program(*arguments, "--log_level=1")
    assert "path=FULL_H arch=arch35 H=192 K=5 dtypeBytes=2" in by_flag.stderr
    assert json.loads(by_flag.stdout)["right"] is None
    environment = os.environ | {"ASCEND_GLOBAL_LOG_LEVEL": "1", "ASCEND_SLOG_PRINT_TO_STDOUT": "1"}
    assert "tiling path: path=FULL_H" in program(*arguments[:2], env=environment).stdout
    json.loads(program(*arguments, env=environment).stdout)
