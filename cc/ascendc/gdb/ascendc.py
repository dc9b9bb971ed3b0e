"""gdb: readable tensors, registers and cores of AscendC kernels on the twin. docs/debugging.md.

    (gdb) source cc/ascendc/gdb/ascendc.py

Printers of LocalTensor, GlobalTensor, RegTensor, MaskReg, half, bfloat16_t, TQue, TBuf, TPipe and AscendcTwinCore; the
commands ascendc-cores and ascendc-core; $core(), the index of the core in the current frame.
"""

import os
import re
import sys

import gdb
import gdb.printing

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, _HERE)
import ascendc_values as values  # noqa: E402

# cc/ascendc/gdb -> the workspace, where sources named in debug information lie
_WORKSPACE = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))

_TWIN = r"^AscendC::ascendc_twin_\w+::"


class _Elements(gdb.Parameter):
    """Most elements of a tensor or register that print shows."""

    set_doc = show_doc = "Most elements of a tensor or register that print shows."

    def __init__(self):
        super().__init__("ascendc-elements", gdb.COMMAND_DATA, gdb.PARAM_ZUINTEGER)
        self.value = 16

    def get_set_string(self):
        return ""

    def get_show_string(self, text):
        return "Tensors are shown with at most %s elements." % text


_elements = _Elements()


# ---- the core


def _core_of(frame):
    """The AscendcTwinCore in whose kernel a frame is; None outside of kernels."""
    while frame is not None:
        try:
            core = frame.read_var("core")
            if str(core.type) == "AscendcTwinCore *":
                return core.dereference()
        except (ValueError, RuntimeError):
            pass
        frame = frame.older()
    return None


def _current_core():
    try:
        return _core_of(gdb.selected_frame())
    except gdb.error:
        return None


def _ub_text(address):
    """UB+0x40 for an address in the core's Unified Buffer."""
    core = _current_core()
    if core is not None and 0 <= address - int(core["ub"]) < int(core["ub_bytes"]):
        return "UB+0x%x" % (address - int(core["ub"]))
    return "0x%x" % address


# ---- printers


def _short(text):
    """The last part of a qualified name."""
    return str(text).rpartition("::")[2]


def _type_name(element_type):
    """int32_t for int; half for its qualified name."""
    element_type = element_type.strip_typedefs().unqualified()
    if element_type.code == gdb.TYPE_CODE_INT:
        return "%sint%d_t" % ("" if element_type.is_signed else "u", 8 * element_type.sizeof)
    return _short(element_type)


def _texts(address, count, element_type):
    """The first elements at an address, at most ascendc-elements of `count`, and '...' if there are more."""
    element_type = element_type.strip_typedefs()
    fallback = None
    if element_type.code == gdb.TYPE_CODE_INT:
        fallback = values.integer_format(element_type.sizeof, element_type.is_signed)
    shown = min(count, _elements.value)
    if shown == 0:
        return []
    try:
        data = gdb.selected_inferior().read_memory(address, shown * element_type.sizeof).tobytes()
    except gdb.MemoryError:
        return ["<no memory at 0x%x>" % address]
    texts = values.unpack(data, _type_name(element_type), fallback)
    return texts + ["..."] if shown < count else texts


class _ArrayPrinter:
    """What is shown as a text and elements."""

    def display_hint(self):
        return "array"

    def children(self):
        return ((str(index), text) for index, text in enumerate(self.texts()))


class _LocalTensor(_ArrayPrinter):
    def __init__(self, value):
        self.value = value
        self.address = int(value["data_"])
        self.type = value.type.strip_typedefs().template_argument(0)

    def to_string(self):
        if self.address == 0:
            return "LocalTensor without memory"
        return "%s %s, %d %s" % (
            _short(self.value["position_"]),
            _ub_text(self.address),
            int(self.value["size_"]),
            _type_name(self.type),
        )

    def texts(self):
        return _texts(self.address, int(self.value["size_"]), self.type) if self.address else []


class _GlobalTensor(_ArrayPrinter):
    def __init__(self, value):
        self.value = value
        self.address = int(value["data_"])
        self.size = int(value["size_"])
        self.type = value.type.strip_typedefs().template_argument(0)

    def to_string(self):
        if self.address == 0:
            return "GlobalTensor without memory"
        return "GM 0x%x, %s %s" % (self.address, self.size or "any number of", _type_name(self.type))

    def texts(self):
        return _texts(self.address, self.size or sys.maxsize, self.type) if self.address else []


class _RegTensor(_ArrayPrinter):
    def __init__(self, value):
        self.register = value["reg"][0]
        self.type = value.type.strip_typedefs().template_argument(0)

    def to_string(self):
        return "register of %d %s" % (self.register.type.sizeof // self.type.sizeof, _type_name(self.type))

    def texts(self):
        if self.register.address is None:  # optimised code keeps it in registers of the host
            return ["<not in memory>"]
        return _texts(int(self.register.address), self.register.type.sizeof // self.type.sizeof, self.type)


class _MaskReg:
    def __init__(self, value):
        self.bits = value["bits"]

    def to_string(self):
        return "mask of " + values.mask_text([int(self.bits[i]) for i in range(self.bits.type.sizeof)])


class _Float16:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        bits = int(self.value["bits"])
        return values.unpack(bits.to_bytes(2, "little"), _short(self.value.type.strip_typedefs().unqualified()))[0]


def _buffer_text(buffer):
    return "UB+0x%x, %d bytes" % (int(buffer["address"]), int(buffer["dataLen"]))


class _Queue:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = self.value.type.strip_typedefs()
        name = _short(str(kind).partition("<")[0])
        positions = [_short(kind.template_argument(i)) for i in range(1 if name == "TQue" else 2)]
        return "%s %s, %d in the queue" % (name, " to ".join(positions), int(self.value["waiting_"]))

    def children(self):
        for index in range(int(self.value["count_"])):
            buffer = self.value["buffers_"][index]
            yield "buffer %d" % index, "%s, %s" % (_buffer_text(buffer), _short(buffer["state"]))


class _TBuf:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        position = _short(self.value.type.strip_typedefs().template_argument(0))
        buffer = self.value["buffer_"]
        return "TBuf %s, %s" % (position, _buffer_text(buffer) if int(buffer) else "before InitBuffer")


class _TPipe:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "TPipe of %d buffers, %d bytes of UB" % (int(self.value["buffer_count_"]), int(self.value["ub_used_"]))


class _Core:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        core = self.value
        return "core %d of %d in %s: UB of %d bytes at 0x%x, %d taken; GM %d bytes read, %d written" % (
            int(core["block_idx"]),
            int(core["block_num"]),
            core["op_name"].string() if int(core["op_name"]) else "a kernel",
            int(core["ub_bytes"]),
            int(core["ub"]),
            int(core["ub_bytes_taken"]),
            int(core["gm_bytes_read"]),
            int(core["gm_bytes_written"]),
        )


def _printers():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("ascendc")
    for name, pattern, printer in [
        ("LocalTensor", _TWIN + "LocalTensor<", _LocalTensor),
        ("GlobalTensor", _TWIN + "GlobalTensor<", _GlobalTensor),
        ("RegTensor", _TWIN + "Reg::RegTensor<", _RegTensor),
        ("MaskReg", _TWIN + "Reg::MaskReg$", _MaskReg),
        ("half", _TWIN + "(half|bfloat16_t)$", _Float16),
        ("TQue", _TWIN + "TQue(Bind)?<", _Queue),
        ("TBuf", _TWIN + "TBuf<", _TBuf),
        ("TPipe", _TWIN + "TPipe$", _TPipe),
        ("AscendcTwinCore", "^AscendcTwinCore$", _Core),
    ]:
        printers.add_printer(name, pattern, printer)
    return printers


# ---- cores of a launch


def _slots(core):
    """The CoreSlots that the launch of a core has used, each with its address, by core."""
    slot = core["engine"].cast(gdb.lookup_type("attnres::launch::CoreSlot").pointer())
    slots = slot["execution"]["slots_"]
    # A vector of unique pointers lies in memory as an array of pointers, in every C++ library.
    first = slots["slots_"].address.cast(slot.type.pointer().pointer()).dereference()
    # The counter is an std::atomic of four bytes.
    taken = slots["taken_"].address.cast(gdb.lookup_type("unsigned int").pointer()).dereference()
    found = {}
    for index in range(int(taken)):
        pointer = first[index]
        if int(pointer):
            found[int(pointer["core"]["block_idx"])] = pointer
    return [found[block] for block in sorted(found)]


def _saved_registers(slot):
    """The registers with which a suspended core goes on: attnres_fiber_switch in cc/ascendc/launch/fiber.cc."""
    stack = int(slot["fiber"]["fiber_stack_"])
    word = gdb.lookup_type("unsigned long")

    def saved(index):
        return int(gdb.Value(stack + 8 * index).cast(word.pointer()).dereference())

    if "aarch64" in gdb.selected_frame().architecture().name():
        names = ["x%d" % number for number in range(19, 31)]
        registers = {name: saved(index) for index, name in enumerate(names)}
        return dict(registers, pc=registers["x30"], sp=stack + 160)
    names = ["r15", "r14", "r13", "r12", "rbx", "rbp"]
    registers = {name: saved(index) for index, name in enumerate(names)}
    return dict(registers, rip=saved(6), rsp=stack + 56)


class _InCore:
    """Until it is left, the thread looks as if it were in a waiting core."""

    def __init__(self, slot):
        self.registers = _saved_registers(slot)

    def _write(self, registers):
        for name, value in registers.items():
            gdb.execute("set var $%s = %s" % (name, value), to_string=True)

    def __enter__(self):
        gdb.newest_frame().select()
        self.own = {name: int(gdb.parse_and_eval("(unsigned long)$" + name)) for name in self.registers}
        self._write(self.registers)

    def __exit__(self, *_):
        gdb.newest_frame().select()
        self._write(self.own)
        gdb.newest_frame().select()


def _kernel_frame():
    """The innermost frame that is in a kernel's source and not in the twin."""
    frame = gdb.newest_frame()
    while frame is not None:
        place = frame.find_sal()
        if place.symtab is not None and not re.search(
            r"(^|/)cc/(ascendc/(membase|reg|launch))/", place.symtab.filename
        ):
            return frame
        frame = frame.older()
    return None


def _place_text():
    frame = _kernel_frame()
    if frame is None:
        return "in the twin"
    place = frame.find_sal()
    return "%s:%d" % (re.sub(r"^\./", "", place.symtab.filename), place.line)


def _phase(slot):
    return _short(slot["phase"])


class _Cores(gdb.Command):
    """List the cores of the launch: which runs, waits or has ended, and where."""

    def __init__(self):
        super().__init__("ascendc-cores", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        current = _required_core()
        selected = gdb.selected_frame()
        begun = _slots(current)
        for slot in begun:
            block = int(slot["core"]["block_idx"])
            mark = " "
            if block == int(current["block_idx"]):
                mark, text = "*", "runs at " + _place_text()
            elif _phase(slot) == "kWaiting":
                with _InCore(slot):
                    text = "waits at " + _place_text()
            else:
                text = {"kRunning": "runs on another thread"}.get(_phase(slot), "has ended")
            print("%s core %d %s" % (mark, block, text))
        others = int(current["block_num"]) - len(begun)
        if others:
            print("  %d of %d cores have ended or not begun" % (others, int(current["block_num"])))
        selected.select()


class _InCoreCommand(gdb.Command):
    """Run a command in a waiting core: ascendc-core 2 backtrace."""

    def __init__(self):
        super().__init__("ascendc-core", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        number, _, command = argument.strip().partition(" ")
        if not number.isdigit() or not command:
            raise gdb.GdbError("expected a core and a command: ascendc-core 2 backtrace")
        current = _required_core()
        waiting = [slot for slot in _slots(current) if int(slot["core"]["block_idx"]) == int(number)]
        if not waiting or _phase(waiting[0]) != "kWaiting":
            raise gdb.GdbError("core %s does not wait; ascendc-cores shows which do" % number)
        selected = gdb.selected_frame()
        with _InCore(waiting[0]):
            frame = _kernel_frame()
            if frame is not None:
                frame.select()
            gdb.execute(command, from_tty)
        selected.select()


def _required_core():
    core = _current_core()
    if core is None:
        raise gdb.GdbError("no kernel in this frame's thread: stop in a kernel first")
    return core


class _CoreFunction(gdb.Function):
    """The index of the core in the current frame, -1 outside of kernels."""

    def __init__(self):
        super().__init__("core")

    def invoke(self):
        core = _current_core()
        return -1 if core is None else int(core["block_idx"])


def _say_core(_event):
    core = _current_core()
    if core is not None:
        print("[core %d of %d]" % (int(core["block_idx"]), int(core["block_num"])))


gdb.printing.register_pretty_printer(None, _printers(), replace=True)
_Cores()
_InCoreCommand()
_CoreFunction()
gdb.events.stop.connect(_say_core)
gdb.execute("directory " + _WORKSPACE, to_string=True)
gdb.execute("set breakpoint pending on", to_string=True)
