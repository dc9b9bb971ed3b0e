"""Reads what the build properties need of a 64-bit little-endian ELF shared object.

Dynamic section, dynamic symbols and required symbol versions; System V ABI and the GNU extensions
(.gnu.version, .gnu.version_r) describe the layout. Tests beside it say what must hold.
"""

import struct

_SHT_DYNAMIC = 6
_SHT_DYNSYM = 11
_SHT_GNU_VERNEED = 0x6FFFFFFE
_SHT_GNU_VERSYM = 0x6FFFFFFF
_DT_NEEDED = 1
_DT_SONAME = 14
_DT_RPATH = 15
_DT_RUNPATH = 29
_UNDEFINED = 0
_LOCAL_BINDING = 0
_VERSION_INDEX = 0x7FFF


class SharedObject:
    """One file.

    `soname`; `needed`, `rpath` and `runpath`, lists; `exported`, a set of symbols; `undefined`, a dictionary of
    symbols with the version each asks for, such as GLIBC_2.17, or None; `versions`, the set of these.
    """

    def __init__(self, path):
        with open(path, "rb") as file:
            self.content = file.read()
        if self.content[:6] != b"\x7fELF\x02\x01":
            raise ValueError("%s is not a 64-bit little-endian ELF file" % path)
        self._sections = self._read_sections()
        self.soname = None
        self.needed = []
        self.rpath = []
        self.runpath = []
        self._read_dynamic()
        names = self._read_versions()
        self.versions = set(names.values())
        self.exported, self.undefined = self._read_symbols(names)

    def _read_sections(self):
        (offset,) = struct.unpack_from("<Q", self.content, 0x28)
        size, count = struct.unpack_from("<HH", self.content, 0x3A)
        # (type, offset, size, link) of each header
        result = []
        for index in range(count):
            fields = struct.unpack_from("<IIQQQQIIQQ", self.content, offset + index * size)
            result.append((fields[1], fields[4], fields[5], fields[6]))
        return result

    def _of_type(self, wanted):
        return [section for section in self._sections if section[0] == wanted]

    def _text(self, table, offset):
        start = self._sections[table][1] + offset
        return self.content[start : self.content.index(b"\0", start)].decode()

    def _read_dynamic(self):
        for _, offset, size, link in self._of_type(_SHT_DYNAMIC):
            for position in range(offset, offset + size, 16):
                tag, value = struct.unpack_from("<QQ", self.content, position)
                if tag == _DT_NEEDED:
                    self.needed.append(self._text(link, value))
                elif tag == _DT_SONAME:
                    self.soname = self._text(link, value)
                elif tag == _DT_RPATH:
                    self.rpath += self._text(link, value).split(":")
                elif tag == _DT_RUNPATH:
                    self.runpath += self._text(link, value).split(":")

    def _read_symbols(self, versions):
        exported, undefined = set(), {}
        (symbols,) = self._of_type(_SHT_DYNSYM)
        (indices,) = self._of_type(_SHT_GNU_VERSYM)
        _, offset, size, link = symbols
        for number in range(1, size // 24):
            name, info, _, section = struct.unpack_from("<IBBH", self.content, offset + 24 * number)
            if info >> 4 == _LOCAL_BINDING:
                continue
            if section == _UNDEFINED:
                (version,) = struct.unpack_from("<H", self.content, indices[1] + 2 * number)
                undefined[self._text(link, name)] = versions.get(version & _VERSION_INDEX)
            else:
                exported.add(self._text(link, name))
        return exported, undefined

    def _read_versions(self):
        """Names of the versions that it needs, by the number that symbols give."""
        versions = {}
        for _, offset, _, link in self._of_type(_SHT_GNU_VERNEED):
            position = offset
            while True:
                _, count, _, first, following = struct.unpack_from("<HHIII", self.content, position)
                entry = position + first
                for _ in range(count):
                    _, _, number, name, step = struct.unpack_from("<IHHII", self.content, entry)
                    versions[number] = self._text(link, name)
                    entry += step
                if not following:
                    break
                position += following
        return versions
