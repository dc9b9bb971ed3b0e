"""The command line: `attnres COMMAND --flag=value ...`.

Exit codes: 0 done, 1 the result is wrong, 2 the caller's input is wrong (one sentence on stderr). A command
is a module with NAME, SUMMARY, declare_flags and run; with TAKES_PROGRAM, run also gets what follows the flags.
The flags live in a FlagValues of their own, made for each call of `main`: importing the package declares no
flag, and `main` may be called any number of times.
"""

import os
import signal
import sys

from absl import app, flags

from attnres import _libraries, _tensor_files
from attnres._commands import backward, bench, capture, check, demo, tiling, trace
from attnres._commands.console import Console
from attnres._errors import AclnnError, InvalidArgumentError
from attnres._version import VERSION

COMMANDS = {
    command.NAME: command
    for command in (
        demo,
        backward,
        tiling,
        check,
        trace,
        bench,
        capture,
    )
}

EXIT_DONE = 0
EXIT_INPUT = 2


def main(argv: list[str]) -> int:
    """Runs argv[1:], returns the exit code; prints results on stdout and faults on stderr."""
    name, arguments = (argv[1], argv[2:]) if len(argv) > 1 else (None, [])
    if name in ("--help", "-h", "help"):
        sys.stdout.write(_usage())
        return EXIT_DONE
    if name == "--version":
        sys.stdout.write(f"attnres {VERSION}\n")
        return EXIT_DONE
    if name not in COMMANDS:
        fault = f"there is no command {name!r}" if name else "no command is given"
        return _refuse(f"attnres: {fault}; expected {', '.join(COMMANDS)}", _usage())
    return _run_command(COMMANDS[name], arguments)


def _run_command(command, arguments):
    values = flags.FlagValues()
    command.declare_flags(values)
    _declare_common_flags(values)
    program = f"attnres {command.NAME}"
    try:
        extra = values([program, *arguments])[1:]
    except flags.Error as error:
        return _refuse(f"{program}: {error}", _command_usage(command, values))
    if values.help:
        sys.stdout.write(_command_usage(command, values))
        return EXIT_DONE
    takes_program = getattr(command, "TAKES_PROGRAM", False)
    if extra and not takes_program:
        fault = f"{program}: argument {extra[0]!r} is not expected; flags are --name=value"
        return _refuse(fault, _command_usage(command, values))
    _steer_logs(values)
    try:
        return command.run(values, Console(as_json=values.json), *([extra] if takes_program else []))
    except InvalidArgumentError as error:
        return _refuse(f"{program}: {error.message}")
    except (AclnnError, _tensor_files.FileFault) as error:
        return _refuse(f"{program}: {error}")


def _declare_common_flags(values):
    flags.DEFINE_boolean("json", False, "Print one JSON object on stdout, all else on stderr.", flag_values=values)
    flags.DEFINE_integer(
        "log_level",
        None,
        "Log of host and kernels: 0 debug, 1 info, 2 warning, 3 error. Default: ASCEND_GLOBAL_LOG_LEVEL.",
        lower_bound=0,
        upper_bound=3,
        flag_values=values,
    )
    flags.DEFINE_boolean("help", False, "Show this text.", short_name="h", flag_values=values)


def _steer_logs(values):
    if values.json:
        # The runtime reads it when it is loaded; stdout belongs to the JSON object.
        os.environ["ASCEND_SLOG_PRINT_TO_STDOUT"] = "0"
    if values.log_level is not None:
        _libraries.set_log_level(values.log_level)


def _usage():
    lines = ["usage: attnres COMMAND --flag=value ...", "", "commands:"]
    lines += [f"  {name:<10} {command.SUMMARY}" for name, command in COMMANDS.items()]
    lines += ["", "attnres COMMAND --help shows the flags of a command, attnres --version the version."]
    return "\n".join(lines) + "\n"


def _command_usage(command, values):
    lines = [f"usage: attnres {command.NAME} --flag=value ...", "", command.SUMMARY, "", "flags:"]
    for name in sorted(values):
        flag = values[name]
        if flag.name != name:
            continue
        shown = ",".join(flag.default) if isinstance(flag.default, list) else flag.default
        default = "" if shown in (None, False) else f" (default: {shown})"
        lines.append(f"  --{name:<16} {flag.help}{default}")
    return "\n".join(lines) + "\n"


def _refuse(fault, usage=""):
    sys.stderr.write(f"{fault}\n")
    if usage:
        sys.stderr.write(f"\n{usage}")
    return EXIT_INPUT


def _leave_flags_to_commands(argv):
    """A flags_parser for app.run: absl's own flags stay at their defaults."""
    flags.FLAGS(argv[:1])
    return argv


def _main_to_stdout(argv):
    """main, with an exit code of ours also when the results cannot be printed."""
    try:
        code = main(argv)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to print at exit
        return _refuse(f"attnres: {error}")
    return code


def run() -> None:
    """The entry point of the program: main on sys.argv, then exit."""
    # Whoever reads the output may stop early, as `head` does: the program then ends without a word.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w"))
    app.run(_main_to_stdout, flags_parser=_leave_flags_to_commands)
