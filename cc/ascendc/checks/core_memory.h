// CoreMemory: the rules about the memory that one core touches: bounds, alignment, bytes that
// nobody wrote, and races. core_checker.h tells it what happens, in an order in which it can
// happen.
#ifndef CC_ASCENDC_CHECKS_CORE_MEMORY_H_
#define CC_ASCENDC_CHECKS_CORE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cc/ascendc/checks/byte_flags.h"
#include "cc/ascendc/checks/clocks.h"
#include "cc/ascendc/checks/core_reporter.h"
#include "cc/ascendc/checks/gm_intervals.h"
#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/checks/site_table.h"
#include "cc/ascendc/checks/ub_buffers.h"
#include "cc/ascendc/checks/ub_races.h"
#include "cc/ascendc/checks/vector_function.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

struct UbRange {
  const uint8_t* data;
  uint64_t bytes;
};

// When an access happens: the instruction's number in its pipe and what has ended before it.
struct Moment {
  uint8_t pipe;
  uint32_t number;
  Clock known;
};

class CoreMemory {
 public:
  // `is_full`: otherwise only bounds are looked at. `races_with_scalar`: false where the compiler
  // orders the scalar unit's accesses of UB.
  CoreMemory(UbRange ub, const GmRegions* regions, bool is_full, bool races_with_scalar,
             CoreReporter* reporter);

  // Reports what lies out of bounds; false if anything does.
  bool InBounds(const AscendcTwinInstruction& instruction);
  // The other rules, for all of the instruction's accesses.
  void Record(const AscendcTwinInstruction& instruction, const Moment& moment);

  // These bytes of UB begin anew: nobody has written them. Precondition: they lie in UB.
  void Forget(uint64_t begin, uint64_t end) {
    if (is_full_) {
      written_->Clear(begin, end);
    }
  }

  // For an instruction that is not performed: what it would have written counts as written, so that
  // one fault is not reported again by all that read its results.
  void RecordSkipped(const AscendcTwinInstruction& instruction);

  // An access of the vector function `name`; 0 bytes: only its alignment counts. False: out of
  // bounds.
  bool VectorAccess(const char* name, const AscendcTwinAccess& access,
                    const AscendcTwinPlace& place) {
    const uint64_t offset = access.address - ub_begin_;
    if (offset >= ub_bytes_ || access.bytes > ub_bytes_ - offset) {
      return InUb(name, kAscendcTwinPipeV, access, place);
    }
    if (!is_full_) {
      return true;
    }
    CheckAlignment(name, kAscendcTwinPipeV, access, place);
    if (access.bytes == 0) {
      return true;
    }
    const uint64_t end = offset + access.bytes;
    const uint32_t site = sites_.Number(place, name, access.operand, kAscendcTwinPipeV);
    if (access.is_write != 0) {
      CheckBufferEnd(name, kAscendcTwinPipeV, access, place);
      written_->Set(offset, end);
      if (function_->FirstStoredByAnother(offset, end, site) != end) {
        ReportUnorderedStore(name, access, place, site);
      }
      function_->Store(offset, end);
      function_->Touch(true, FirstBlock(offset), EndBlock(end), site);
    } else {
      // A load has no mask: which lanes count shows later. Its first block does; the others may lie
      // beyond the row, be unwritten or another pipe's. Whether they matter shows in the outputs,
      // when UB holds something else and when pipes run in another order.
      const uint64_t first_unset = written_->FirstUnset(offset, end);
      if (first_unset == offset) {
        ReportUnwrittenUb(name, kAscendcTwinPipeV, access, place);
      } else if (first_unset != end) {
        NotePartlyWritten(site);
      }
      const uint64_t counted = end - offset > kUbBlockBytes ? offset + kUbBlockBytes : end;
      if (function_->FirstStored(offset, counted) != counted) {
        ReportUnorderedLoad(name, access, place);
      }
      function_->Load(offset, end);
      function_->Touch(false, FirstBlock(offset), EndBlock(counted), site);
    }
    return true;
  }
  // Stores of the vector function so far precede its loads, or its stores, from now on.
  void VectorBarrier(bool before_loads, bool before_stores) {
    if (is_full_ && before_loads) {
      function_->Barrier();
    }
    if (is_full_ && before_stores) {
      function_->BarrierOfStores();
    }
  }
  // The vector function's end.
  void EndFunction(const Moment& moment);

  // An access of the scalar unit. False: out of bounds.
  bool ScalarInBounds(const AscendcTwinAccess& access, const AscendcTwinPlace& place);
  void RecordScalar(const AscendcTwinAccess& access, const AscendcTwinPlace& place,
                    const Moment& moment);
  // The latest number of the pipe that a scalar access has to come after.
  uint32_t LatestInUb(uint32_t pipe, const AscendcTwinAccess& access) const;

  bool IsUb(const AscendcTwinAccess& access) const { return access.is_gm == 0; }

  // Places of vector loads of which only the first bytes were written.
  std::vector<AscendcTwinPlace> PartlyWrittenLoads() const;

  UbBuffers& buffers() { return buffers_; }
  GmIntervals& gm() { return gm_; }
  const SiteTable& sites() const { return sites_; }

 private:
  static uint32_t FirstBlock(uint64_t begin) {
    return static_cast<uint32_t>(begin / kUbBlockBytes);
  }
  static uint32_t EndBlock(uint64_t end) {
    return static_cast<uint32_t>((end + kUbBlockBytes - 1) / kUbBlockBytes);
  }

  bool InUb(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
            const AscendcTwinPlace& place);
  bool InGm(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
            const AscendcTwinPlace& place);

  void CheckUb(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
               const AscendcTwinPlace& place) {
    CheckAlignment(name, pipe, access, place);
    CheckBufferEnd(name, pipe, access, place);
  }
  void CheckAlignment(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                      const AscendcTwinPlace& place) {
    const uint64_t offset = access.address - ub_begin_;
    if (access.alignment > 1 && offset % access.alignment != 0) {
      ReportMisaligned(name, pipe, access, place, nullptr);
    }
  }
  void CheckBufferEnd(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                      const AscendcTwinPlace& place) {
    const uint64_t offset = access.address - ub_begin_;
    const uint64_t buffer_end = buffers_.EndOf(offset);
    if (buffer_end != 0 && offset + access.bytes > buffer_end) {
      ReportOverrun(name, pipe, access, place, buffer_end);
    }
  }
  void ReportOverrun(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                     const AscendcTwinPlace& place, uint64_t buffer_end);
  void ReportMisaligned(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                        const AscendcTwinPlace& place, const GmRegions::Entry* region);
  void ReportUnwrittenUb(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                         const AscendcTwinPlace& place);
  void ReportUnorderedLoad(const char* name, const AscendcTwinAccess& access,
                           const AscendcTwinPlace& place);
  void ReportUnorderedStore(const char* name, const AscendcTwinAccess& access,
                            const AscendcTwinPlace& place, uint32_t site);
  void ReportUnwrittenGm(const char* name, uint8_t pipe, const AscendcTwinAccess& access,
                         const AscendcTwinPlace& place, const GmRegions::Entry& region);

  void NotePartlyWritten(uint32_t site) {
    if (site >= partly_written_.size()) {
      partly_written_.resize(site + 1);
    }
    partly_written_[site] = true;
  }

  void RecordUb(const AscendcTwinAccess& access, uint32_t site, const Moment& moment);
  void RecordGm(const AscendcTwinAccess& access, bool is_atomic, uint32_t site,
                const Moment& moment);
  void CheckReads(const char* name, uint8_t pipe, bool is_atomic, const AscendcTwinAccess& access,
                  const AscendcTwinPlace& place);
  void MarkWritten(const AscendcTwinAccess& access);
  void ReportUbRace(const UbRaces::Conflict& conflict, bool is_write, uint64_t begin, uint64_t end);

  uint64_t ub_begin_;
  uint64_t ub_bytes_;
  const GmRegions* regions_;
  bool is_full_;
  bool races_with_scalar_;
  CoreReporter* reporter_;
  size_t region_hint_ = 0;
  SiteTable sites_;
  UbBuffers buffers_;
  GmIntervals gm_;
  // Only where is_full_.
  std::unique_ptr<ByteFlags<false>> written_;
  std::unique_ptr<UbRaces> races_;
  std::unique_ptr<VectorFunction> function_;
  std::vector<bool> partly_written_;  // by site
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_CORE_MEMORY_H_
