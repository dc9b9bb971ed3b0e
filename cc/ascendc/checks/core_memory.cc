// Bounds, alignment, initialisation and races of one core's accesses.
#include "cc/ascendc/checks/core_memory.h"

#include <algorithm>
#include <string>

#include "cc/ascendc/checks/names.h"
#include "cc/ascendc/checks/race_text.h"

namespace attnres::checks {

namespace {

// "Add reads 64 bytes (src0)".
std::string AccessText(const char* name, const AscendcTwinAccess& access) {
  std::string text =
      std::string(name) + (access.is_write != 0 ? " writes " : " reads ") + BytesText(access.bytes);
  if (access.operand != nullptr) {
    text += std::string(" (") + access.operand + ")";
  }
  return text;
}

void FillAccess(const char* name, uint8_t pipe, const AscendcTwinAccess& access, Finding* finding) {
  finding->instruction = name;
  finding->operand = access.operand == nullptr ? "" : access.operand;
  finding->pipe = PipeName(pipe);
}

}  // namespace

CoreMemory::CoreMemory(UbRange ub, const GmRegions* regions, bool is_full, bool races_with_scalar,
                       CoreReporter* reporter)
    : ub_begin_(reinterpret_cast<uint64_t>(ub.data)),
      ub_bytes_(ub.bytes),
      regions_(regions),
      is_full_(is_full),
      races_with_scalar_(races_with_scalar),
      reporter_(reporter),
      buffers_(ub.bytes) {
  if (is_full) {
    written_ = std::make_unique<ByteFlags<false>>(ub.bytes);
    races_ = std::make_unique<UbRaces>(ub.bytes);
    function_ = std::make_unique<VectorFunction>(ub.bytes);
  }
}

bool CoreMemory::InUb(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                      const AscendcTwinPlace& place) {
  const uint64_t offset = access.address - ub_begin_;
  if (offset < ub_bytes_ && access.bytes <= ub_bytes_ - offset) {
    return true;
  }
  reporter_->Report("memory", "ub-out-of-bounds", place, kNoPlace, [&](Finding* finding) {
    FillAccess(name, pipe, access, finding);
    finding->sentence = AccessText(name, access);
    if (access.address < ub_begin_ || offset > 2 * ub_bytes_) {
      finding->sentence += " at an address outside UB: use a tensor of a buffer";
      return;
    }
    finding->buffer = offset < ub_bytes_ ? buffers_.Name(offset) : "UB";
    finding->begin = offset;
    finding->end = offset + access.bytes;
    finding->sentence += " from byte " + std::to_string(offset) + " of UB, which has " +
                         BytesText(ub_bytes_) + ": lower the count or the offset";
  });
  return false;
}

bool CoreMemory::InGm(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                      const AscendcTwinPlace& place) {
  const GmRegions::Entry* region = regions_->Find(access.address, &region_hint_);
  if (region == nullptr) {
    reporter_->Report("memory", "gm-unknown-address", place, kNoPlace, [&](Finding* finding) {
      FillAccess(name, pipe, access, finding);
      finding->sentence = AccessText(name, access) + " of global memory that is no argument's, " +
                          regions_->Describe(access.address) + ": correct the offset";
    });
    return false;
  }
  const uint64_t offset = access.address - region->begin;
  const auto fill = [&](Finding* finding) {
    FillAccess(name, pipe, access, finding);
    finding->buffer = region->Name();
    finding->begin = offset;
    finding->end = offset + access.bytes;
    finding->sentence =
        AccessText(name, access) + " from byte " + std::to_string(offset) + " of " + region->Name();
  };
  if (access.bytes > region->end - access.address) {
    reporter_->Report("memory", "gm-out-of-bounds", place, kNoPlace, [&](Finding* finding) {
      fill(finding);
      finding->sentence += ", which has " + BytesText(region->region.bytes) +
                           ": lower the count, or copy the tail with DataCopyPad";
    });
    return false;
  }
  if (access.is_write != 0 && !region->IsWritable()) {
    reporter_->Report("memory", "write-to-input", place, kNoPlace, [&](Finding* finding) {
      fill(finding);
      finding->sentence += ", which the kernel may only read: write to an output or the workspace";
    });
    return false;
  }
  return true;
}

bool CoreMemory::InBounds(const AscendcTwinInstruction& instruction) {
  bool valid = true;
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    const bool inside = IsUb(access)
                            ? InUb(instruction.name, instruction.pipe, access, instruction.place)
                            : InGm(instruction.name, instruction.pipe, access, instruction.place);
    valid = valid && inside;
  }
  return valid;
}

void CoreMemory::ReportOverrun(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                               const AscendcTwinPlace& place, uint64_t buffer_end) {
  const uint64_t offset = access.address - ub_begin_;
  uint32_t index = 0;
  const UbBuffer* buffer = buffers_.Find(offset, &index);
  const AscendcTwinPlace made = buffer == nullptr ? kNoPlace : buffer->place;
  reporter_->Report("memory", "ub-buffer-overrun", place, made, [&](Finding* finding) {
    FillAccess(name, pipe, access, finding);
    finding->buffer = buffers_.Name(offset);
    finding->begin = offset;
    finding->end = offset + access.bytes;
    finding->sentence = AccessText(name, access) + ", " +
                        BytesText(offset + access.bytes - buffer_end) + " beyond the end of " +
                        finding->buffer + ": lower the count or make the buffer larger";
  });
}

void CoreMemory::ReportMisaligned(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                                  const AscendcTwinPlace& place, const GmRegions::Entry* region) {
  const uint64_t offset = access.address - (region == nullptr ? ub_begin_ : region->begin);
  reporter_->Report("memory", region == nullptr ? "ub-misaligned" : "gm-misaligned", place,
                    kNoPlace, [&](Finding* finding) {
                      FillAccess(name, pipe, access, finding);
                      finding->buffer = region == nullptr ? buffers_.Name(offset) : region->Name();
                      finding->begin = offset;
                      finding->end = offset + access.bytes;
                      finding->sentence = AccessText(name, access) + " from byte " +
                                          std::to_string(offset) + " of " +
                                          (region == nullptr ? "UB" : region->Name()) +
                                          ": begin at a multiple of " + BytesText(access.alignment);
                    });
}

void CoreMemory::ReportUnwrittenUb(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                                   const AscendcTwinPlace& place) {
  reporter_->Report("initialisation", "never-written", place, kNoPlace, [&](Finding* finding) {
    const uint64_t offset = access.address - ub_begin_;
    const uint64_t end = offset + access.bytes;
    FillAccess(name, pipe, access, finding);
    finding->begin = written_->FirstUnset(offset, end);
    finding->end = written_->FirstSet(finding->begin, end);
    finding->buffer = buffers_.Name(finding->begin);
    finding->sentence = AccessText(name, access) + " of UB, of which nobody has written byte " +
                        std::to_string(finding->begin - offset) +
                        ": fill it first (Duplicate, padding of DataCopyPad) or read less";
  });
}

void CoreMemory::ReportUnorderedLoad(const char* name, const AscendcTwinAccess& access,
                                     const AscendcTwinPlace& place) {
  const uint64_t offset = access.address - ub_begin_;
  const uint64_t end = offset + access.bytes;
  const uint64_t first = function_->FirstStored(offset, end);
  const Site& store = sites_.At(function_->StoreSite(first));
  reporter_->Report("race", "vector-function-race", place, store.place, [&](Finding* finding) {
    FillAccess(name, kAscendcTwinPipeV, access, finding);
    finding->other_pipe = PipeName(kAscendcTwinPipeV);
    finding->begin = first;
    finding->end = end;
    finding->buffer = buffers_.Name(first);
    finding->sentence = "the load at " + PlaceText(place) + " reads what the store at " +
                        PlaceText(store.place) + " of the same vector function `" + name +
                        "` writes, with no LocalMemBar between them, and may get what was there "
                        "before: put LocalMemBar<VEC_STORE, VEC_LOAD> between the two, or keep the "
                        "value in a register";
  });
}

void CoreMemory::ReportUnorderedStore(const char* name, const AscendcTwinAccess& access,
                                      const AscendcTwinPlace& place, uint32_t site) {
  const uint64_t offset = access.address - ub_begin_;
  const uint64_t end = offset + access.bytes;
  const uint64_t first = function_->FirstStoredByAnother(offset, end, site);
  const Site& store = sites_.At(function_->StoreSite(first));
  reporter_->Report("race", "vector-function-race", place, store.place, [&](Finding* finding) {
    FillAccess(name, kAscendcTwinPipeV, access, finding);
    finding->other_pipe = PipeName(kAscendcTwinPipeV);
    finding->begin = first;
    finding->end = end;
    finding->buffer = buffers_.Name(first);
    finding->sentence = "the store at " + PlaceText(place) + " overwrites what the store at " +
                        PlaceText(store.place) + " of the same vector function `" + name +
                        "` writes, with no LocalMemBar between them, and may come first: put "
                        "LocalMemBar<VEC_STORE, VEC_STORE> between the two, or store once";
  });
}

void CoreMemory::ReportUnwrittenGm(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                                   const AscendcTwinPlace& place, const GmRegions::Entry& region) {
  reporter_->Report("initialisation", "never-written", place, kNoPlace, [&](Finding* finding) {
    const uint64_t offset = access.address - region.begin;
    const uint64_t end = offset + access.bytes;
    FillAccess(name, pipe, access, finding);
    finding->begin = region.written->FirstUnset(offset, end);
    finding->end = region.written->FirstSet(finding->begin, end);
    finding->buffer = region.Name();
    finding->sentence =
        AccessText(name, access) + (access.is_write != 0 ? " by accumulating" : "") +
        " from byte " + std::to_string(offset) + " of " + region.Name() +
        ", of which nobody has written byte " + std::to_string(finding->begin - offset) +
        ": global memory is not zeroed, write it first";
  });
}

void CoreMemory::CheckReads(const char* name, uint8_t pipe, bool is_atomic,
                            const AscendcTwinAccess& access, const AscendcTwinPlace& place) {
  if (IsUb(access)) {
    const uint64_t offset = access.address - ub_begin_;
    if (access.is_write == 0 &&
        written_->FirstUnset(offset, offset + access.bytes) != offset + access.bytes) {
      ReportUnwrittenUb(name, pipe, access, place);
    }
    return;
  }
  if (access.is_write != 0 && !is_atomic) {
    return;
  }
  const GmRegions::Entry* region = regions_->Find(access.address, &region_hint_);
  if (region->written != nullptr) {
    const uint64_t offset = access.address - region->begin;
    if (region->written->FirstUnset(offset, offset + access.bytes) != offset + access.bytes) {
      ReportUnwrittenGm(name, pipe, access, place, *region);
    }
  }
}

void CoreMemory::MarkWritten(const AscendcTwinAccess& access) {
  if (access.is_write == 0) {
    return;
  }
  if (IsUb(access)) {
    const uint64_t offset = access.address - ub_begin_;
    written_->Set(offset, offset + access.bytes);
    return;
  }
  const GmRegions::Entry* region = regions_->Find(access.address, &region_hint_);
  if (region->written != nullptr) {
    region->written->Set(access.address - region->begin,
                         access.address - region->begin + access.bytes);
  }
}

void CoreMemory::Record(const AscendcTwinInstruction& instruction, const Moment& moment) {
  if (!is_full_) {
    return;
  }
  const bool is_atomic = instruction.is_atomic != 0;
  const char* operand = nullptr;
  uint32_t site = 0;
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    if (site == 0 || access.operand != operand) {
      operand = access.operand;
      site = sites_.Number(instruction.place, instruction.name, operand, instruction.pipe);
    }
    CheckReads(instruction.name, instruction.pipe, is_atomic, access, instruction.place);
    if (IsUb(access)) {
      CheckUb(instruction.name, instruction.pipe, access, instruction.place);
      RecordUb(access, site, moment);
    } else {
      const GmRegions::Entry* region = regions_->Find(access.address, &region_hint_);
      if (access.alignment > 1 && (access.address - region->begin) % access.alignment != 0) {
        ReportMisaligned(instruction.name, instruction.pipe, access, instruction.place, region);
      }
      RecordGm(access, is_atomic, site, moment);
    }
  }
  // What the instruction writes is not there for its own reads.
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    MarkWritten(instruction.accesses[i]);
  }
}

void CoreMemory::RecordSkipped(const AscendcTwinInstruction& instruction) {
  for (uint32_t i = 0; is_full_ && i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    if (access.is_write == 0) {
      continue;
    }
    if (IsUb(access)) {
      const uint64_t offset = access.address - ub_begin_;
      if (offset < ub_bytes_) {
        written_->Set(offset, offset + std::min(access.bytes, ub_bytes_ - offset));
      }
      continue;
    }
    const GmRegions::Entry* region = regions_->Find(access.address, &region_hint_);
    if (region != nullptr && region->written != nullptr) {
      const uint64_t offset = access.address - region->begin;
      region->written->Set(offset, offset + std::min(access.bytes, region->region.bytes - offset));
    }
  }
}

void CoreMemory::ReportUbRace(const UbRaces::Conflict& conflict, bool is_write, uint64_t begin,
                              uint64_t end) {
  const Site& earlier = sites_.At(conflict.site);
  const Site& later = sites_.At(conflict.late_site);
  reporter_->Report("race", "ub-race", later.place, earlier.place, [&](Finding* finding) {
    finding->instruction = later.name;
    finding->operand = later.operand == nullptr ? "" : later.operand;
    finding->pipe = PipeName(later.pipe);
    finding->other_pipe = PipeName(earlier.pipe);
    finding->begin = std::max(begin, conflict.first * kUbBlockBytes);
    finding->end = std::min(end, conflict.last * kUbBlockBytes);
    finding->buffer = buffers_.Name(finding->begin);
    finding->sentence = RaceText(earlier, conflict.was_write, later, is_write);
  });
}

void CoreMemory::RecordUb(const AscendcTwinAccess& access, uint32_t site, const Moment& moment) {
  const uint64_t begin = access.address - ub_begin_;
  const uint64_t end = begin + access.bytes;
  const bool is_write = access.is_write != 0;
  races_->Touch(
      {moment.pipe, is_write, moment.number}, FirstBlock(begin), EndBlock(end), site, moment.known,
      [&](const UbRaces::Conflict& conflict) { ReportUbRace(conflict, is_write, begin, end); });
}

void CoreMemory::RecordGm(const AscendcTwinAccess& access, bool is_atomic, uint32_t site,
                          const Moment& moment) {
  const GmRegions::Entry* region = regions_->Find(access.address, &region_hint_);
  if (!region->IsWritable()) {
    return;  // nobody writes it
  }
  const GmAccess kind = access.is_write == 0 ? GmAccess::kRead
                        : is_atomic          ? GmAccess::kAtomic
                                             : GmAccess::kWrite;
  gm_.Touch(
      moment.pipe, kind, moment.number, access.address, access.address + access.bytes, site,
      moment.known, [&](const GmIntervals::Conflict& conflict) {
        const Site& earlier = sites_.At(conflict.site);
        const Site& later = sites_.At(site);
        reporter_->Report("race", "gm-race", later.place, earlier.place, [&](Finding* finding) {
          finding->instruction = later.name;
          finding->operand = later.operand == nullptr ? "" : later.operand;
          finding->pipe = PipeName(later.pipe);
          finding->other_pipe = PipeName(earlier.pipe);
          finding->begin = conflict.begin - region->begin;
          finding->end = conflict.end - region->begin;
          finding->buffer = region->Name();
          finding->sentence =
              RaceText(earlier, conflict.access != GmAccess::kRead, later, access.is_write != 0);
        });
      });
}

std::vector<AscendcTwinPlace> CoreMemory::PartlyWrittenLoads() const {
  std::vector<AscendcTwinPlace> places;
  for (uint32_t site = 0; site < partly_written_.size(); ++site) {
    if (partly_written_[site]) {
      places.push_back(sites_.At(site).place);
    }
  }
  return places;
}

void CoreMemory::EndFunction(const Moment& moment) {
  if (!is_full_) {
    return;
  }
  function_->Finish([&](bool is_write, uint32_t first, uint32_t last, const uint32_t* sites) {
    races_->TouchEach(
        {moment.pipe, is_write, moment.number}, first, last, sites, moment.known,
        [&](const UbRaces::Conflict& conflict) { ReportUbRace(conflict, is_write, 0, ub_bytes_); });
  });
}

bool CoreMemory::ScalarInBounds(const AscendcTwinAccess& access, const AscendcTwinPlace& place) {
  const char* name = access.is_write != 0 ? "SetValue" : "GetValue";
  return IsUb(access) ? InUb(name, kAscendcTwinPipeS, access, place)
                      : InGm(name, kAscendcTwinPipeS, access, place);
}

void CoreMemory::RecordScalar(const AscendcTwinAccess& access, const AscendcTwinPlace& place,
                              const Moment& moment) {
  if (!is_full_) {
    return;
  }
  const char* name = access.is_write != 0 ? "SetValue" : "GetValue";
  const uint32_t site = sites_.Number(place, name, nullptr, kAscendcTwinPipeS);
  CheckReads(name, kAscendcTwinPipeS, false, access, place);
  if (!IsUb(access)) {
    RecordGm(access, false, site, moment);
  } else {
    CheckUb(name, kAscendcTwinPipeS, access, place);
    if (races_with_scalar_) {
      RecordUb(access, site, moment);
    }
  }
  MarkWritten(access);
}

uint32_t CoreMemory::LatestInUb(uint32_t pipe, const AscendcTwinAccess& access) const {
  if (!is_full_) {
    return 0;
  }
  const uint64_t begin = access.address - ub_begin_;
  return races_->Latest(pipe, FirstBlock(begin), EndBlock(begin + access.bytes),
                        access.is_write == 0);
}

}  // namespace attnres::checks
