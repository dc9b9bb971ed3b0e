// CostProfile: what time mode assumes of one SoC. The numbers stand in profiles/*.ini, each with
// its source, and are compiled in by embed_profiles.py. cc/host/platform has what tiling needs of a
// SoC.
#ifndef CC_ASCENDC_TIMELINE_COST_PROFILE_H_
#define CC_ASCENDC_TIMELINE_COST_PROFILE_H_

#include <cstddef>
#include <cstdint>

namespace attnres::timeline {

// Two numbers for elements of up to 16 bits and two for wider ones. Instructions on UB: start-up
// cycles, cycles per 256 bytes. Operations on registers: issues, cycles of the special unit.
struct InstructionCost {
  const char* name;
  double first_narrow;
  double second_narrow;
  double first_wide;
  double second_wide;

  double first(uint32_t element_bytes) const {
    return element_bytes <= 2 ? first_narrow : first_wide;
  }
  double second(uint32_t element_bytes) const {
    return element_bytes <= 2 ? second_narrow : second_wide;
  }
};

// Cycles are those of a vector core. The fields are in the order of embed_profiles.py.
struct CostProfile {
  const char* name;
  const char* short_name;

  uint32_t npu_arch;
  uint32_t cores;
  double clock_mhz;
  double vector_bytes_per_cycle;

  double gm_bytes_per_second;  // of all cores together
  double gm_efficiency;        // of that, what copies reach
  uint32_t gm_line_bytes;      // a block of a copy that begins inside one touches one more
  uint64_t l2_bytes;
  uint32_t l2_line_bytes;
  double l2_bytes_per_second;

  // One core: the most it can move, and what a copy costs beside its bytes.
  double gm_read_bytes_per_cycle;
  double l2_read_bytes_per_cycle;
  double write_bytes_per_cycle;
  double copy_issue_cycles;    // that occupy the pipe before bytes move
  double copy_block_cycles;    // the least that a block takes, however short
  double read_latency_cycles;  // from the last byte until a flag can be set
  double write_latency_cycles;

  double scalar_issue_cycles;  // of the scalar unit for an instruction of another pipe
  double flag_cycles;          // for setting, awaiting, a barrier
  double scalar_ub_cycles;
  double scalar_gm_cycles;
  double vector_drain_cycles;  // from an instruction's end until its result can be read
  uint32_t bank_groups;  // of 32 bytes, that two operands of an instruction share; 0: any number
  double sync_all_cycles;
  double task_overhead_us;  // of a launch on the device: its cores begin one by one within it
  double launch_us;         // by the host; not part of the device's time

  double vf_startup_cycles;
  double vf_issues_per_cycle;
  double vf_loads_per_cycle;
  double vf_stores_per_cycle;
  double vf_ub_accesses_per_cycle;

  const InstructionCost* vector;
  size_t vector_count;
  const InstructionCost* registers;
  size_t register_count;

  double gm_bytes_per_cycle() const {
    return gm_bytes_per_second * gm_efficiency / (clock_mhz * 1e6);
  }
  double l2_bytes_per_cycle() const { return l2_bytes_per_second / (clock_mhz * 1e6); }
};

// All of them, `*count`; they live as long as the program.
const CostProfile* CostProfiles(size_t* count);

// The profile whose name or short name this is, whatever the case; null when there is none.
const CostProfile* FindCostProfile(const char* name);

// The entry of that name in a table, or its entry "Default"; null in an empty table.
const InstructionCost* FindInstruction(const InstructionCost* table, size_t count,
                                       const char* name);

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_COST_PROFILE_H_
