"""A small result of time mode and its trace, for tests of what is made of them."""


def result():
    line = {
        "file": "op_kernel/a.h",
        "line": 12,
        "instruction": "DataCopy<x>",
        "count": 64,
        "gm_bytes": 1048576,
        "busy": {"scalar": 0.25, "copy_in": 7.125},
        "critical_path_microseconds": 8.5,
        "critical_path": {"copy_in": 6.5, "bandwidth": 2.0},
    }
    waiting = line | {
        "line": 30,
        "instruction": "",
        "critical_path_microseconds": 0.5,
        "critical_path": {"scalar": 0.5},
    }
    return {
        "soc": "Ascend950PR_9589",
        "cores": 64,
        "clock_mhz": 1650,
        "microseconds": 11.5,
        "cycles": 14850,
        "instructions": 12345,
        "pipes": {
            name: {"busy_microseconds": us, "busy_share": us / 9.0}
            for name, us in [("scalar", 1.0), ("vector", 4.5), ("copy_in", 7.125), ("copy_out", 0.0)]
        },
        "gm": {
            "bytes_read": 9000000,
            "bytes_written": 1000000,
            "bytes_read_from_l2": 250000.0,
            "bytes_read_beyond_l2": 8750000.0,
            "bytes_written_beyond_l2": 0,
            "limit_bytes_per_second": 1.6e12,
            "limit_microseconds": 6.25,
            "share_of_limit": 0.543478261,
        },
        "roofline": {
            "vector_elements": 5e6,
            "element_bytes": 4.0,
            "elements_per_byte": 0.5,
            "elements_per_second": 4.35e11,
            "peak_elements_per_second": 6.7584e12,
            "gm_bytes_per_second": 1.6e12,
            "l2_bytes_per_second": 5.2e12,
        },
        "critical_path": {
            "parts": {"copy_in": 6.5, "bandwidth": 2.0, "scalar": 0.5},
            "waits": [
                {
                    "file": "op_kernel/a.h",
                    "line": 30,
                    "pipe": "V",
                    "for_file": "op_kernel/a.h",
                    "for_line": 12,
                    "for_pipe": "MTE2",
                    "microseconds": 3.25,
                },
            ],
        },
        "lines": [line, waiting],
    }


def trace():
    def event(tid, ts, dur, name, category):
        return {
            "ph": "X",
            "name": name,
            "cat": category,
            "pid": 0,
            "tid": tid,
            "ts": ts,
            "dur": dur,
            "args": {"line": "op_kernel/a.h:12"},
        }

    return {
        "traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "core 0"}},
            event(2, 0.0, 2.5, "DataCopy", "copy"),
            event(1, 0.0, 2.5, "wait for MTE2", "wait"),
            event(1, 2.5, 0.5, "Add", "vector"),
            {"ph": "s", "name": "flag", "pid": 0, "tid": 2, "ts": 2.4},
        ]
    }


def at(value, key):
    """The number of a result that a key such as "lines.0.count" names."""
    for name in key.split("."):
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value
