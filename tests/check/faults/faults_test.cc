// Every kernel with a planted fault under check mode: what is found, and where, is exactly what the
// comments "expect: rule..." in its source say.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/testing/checked_runner.h"
#include "tests/check/faults/fault_kernel.h"
#include "tests/check/faults/initialisation_faults.cpp"
#include "tests/check/faults/memory_faults.cpp"
#include "tests/check/faults/race_faults.cpp"
#include "tests/check/faults/synchronisation_faults.cpp"

namespace {

using attnres::testing::CheckedOptions;
using attnres::testing::CheckedRun;

struct Fault {
  const char* file;
  const char* kernel;
  AscendcTwinKernelEntry entry;
  uint32_t blocks;
  bool auto_sync;
  bool is_found;  // false: nothing is wrong in this setting
  bool fills_y;   // the host has written it
};

std::string TestName(const ::testing::TestParamInfo<Fault>& info) {
  return std::string(info.param.kernel) + (info.param.auto_sync ? "" : "_without_auto_sync");
}

// "rule@line" of the comments between the kernel's first line and its closing brace. A comment on a
// line of its own is about the next line, or about no line if it says "expect at the end: ".
std::multiset<std::string> Expected(const Fault& fault) {
  std::ifstream source("tests/check/faults/" + std::string(fault.file));
  EXPECT_TRUE(source.good()) << fault.file;
  const std::string head = std::string(" ") + fault.kernel + "(";
  const std::string markers[] = {"expect: ", "expect at the end: "};
  std::multiset<std::string> expected;
  std::string line;
  bool is_inside = false;
  for (uint32_t number = 1; std::getline(source, line); ++number) {
    is_inside = is_inside ? line != "}" : line.find(head) != std::string::npos;
    for (const std::string& marker : markers) {
      const size_t at = line.find(marker);
      if (!is_inside || at == std::string::npos) {
        continue;
      }
      const bool is_alone = line.find("//") == line.find_first_not_of(' ');
      const uint32_t place = marker == markers[1] ? 0 : is_alone ? number + 1 : number;
      std::istringstream rules(line.substr(at + marker.size()));
      for (std::string rule; rules >> rule;) {
        expected.insert(rule + "@" + std::to_string(place));
      }
    }
  }
  return fault.is_found ? expected : std::multiset<std::string>();
}

bool Names(const attnres::checks::Finding& finding, const attnres::checks::SourcePlace& place) {
  const std::string text = " at " + place.file + ":" + std::to_string(place.line) + " ";
  return finding.sentence.find(text) != finding.sentence.npos;
}

class FaultTest : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultTest, IsFoundWhereItIs) {
  const Fault& fault = GetParam();
  const std::vector<float> x(faults::kCount, 1.5f);
  std::vector<float> y(faults::kCount);
  std::vector<float> workspace(faults::kCount);
  std::array<uint64_t, 2> tiling = {};
  CheckedOptions options;
  options.blocks = fault.blocks;
  options.check.auto_sync = fault.auto_sync;
  const CheckedRun run = attnres::testing::RunKernelChecked(
      fault.entry, options,
      {attnres::testing::Input("x", x.data(), x.size()),
       fault.fills_y ? attnres::testing::FilledOutput("y", y.data(), y.size())
                     : attnres::testing::Output("y", y.data(), y.size()),
       attnres::testing::Workspace(workspace.data(), workspace.size() * sizeof(float)),
       attnres::testing::Tiling(&tiling)});
  std::multiset<std::string> found;
  for (const auto& finding : run.result.findings) {
    EXPECT_FALSE(finding.sentence.empty());
    if (finding.category == "race" && !finding.place.file.empty()) {
      EXPECT_TRUE(Names(finding, finding.place)) << finding.sentence;
      EXPECT_TRUE(Names(finding, finding.other_place)) << finding.sentence;
    }
    // That results differ from order to order belongs to a race that has a place.
    if (finding.rule != "order-dependent") {
      found.insert(finding.rule + "@" + std::to_string(finding.place.line));
    }
  }
  EXPECT_EQ(found, Expected(fault)) << run.Text();
}

#define FAULT(file, kernel) \
  Fault { file, #kernel, &AscendcTwinEntry<&kernel>, 1, true, true, true }
#define FAULT_OF_TWO_CORES(file, kernel) \
  Fault { file, #kernel, &AscendcTwinEntry<&kernel>, 2, true, true, true }
#define RIGHT(file, kernel, blocks) \
  Fault { file, #kernel, &AscendcTwinEntry<&kernel>, blocks, true, false, true }
// With an output that nobody has written before.
#define FAULT_OF_THE_OUTPUT(file, kernel) \
  Fault { file, #kernel, &AscendcTwinEntry<&kernel>, 1, true, true, false }
// Right while the compiler orders vector instructions and scalar accesses.
#define FAULT_WITHOUT_AUTO_SYNC(file, kernel)                                     \
  Fault{file, #kernel, &AscendcTwinEntry<&kernel>, 1, true, false, true}, Fault { \
    file, #kernel, &AscendcTwinEntry<&kernel>, 1, false, true, true               \
  }

constexpr char kRaces[] = "race_faults.cpp";
constexpr char kMemory[] = "memory_faults.cpp";
constexpr char kInitialisation[] = "initialisation_faults.cpp";
constexpr char kSynchronisation[] = "synchronisation_faults.cpp";

INSTANTIATE_TEST_SUITE_P(
    Races, FaultTest,
    ::testing::Values(
        RIGHT(kRaces, no_fault, 1), FAULT(kRaces, compute_before_copy_in),
        FAULT(kRaces, copy_out_before_compute), FAULT(kRaces, copy_in_over_what_is_computed),
        FAULT(kRaces, copy_in_over_what_is_copied_out),
        FAULT(kRaces, compute_over_what_is_copied_out), FAULT(kRaces, two_copies_in_to_one_row),
        RIGHT(kRaces, two_copies_in_with_a_barrier, 1),
        FAULT_WITHOUT_AUTO_SYNC(kRaces, scalar_reads_while_copy_in_writes),
        FAULT_WITHOUT_AUTO_SYNC(kRaces, vector_after_vector),
        FAULT(kRaces, workspace_read_back_at_once), RIGHT(kRaces, workspace_read_back_in_order, 1),
        FAULT_OF_TWO_CORES(kRaces, cores_write_the_same_row),
        FAULT_OF_TWO_CORES(kRaces, core_reads_the_row_of_another),
        RIGHT(kRaces, core_reads_the_row_of_another_after_sync_all, 2)),
    TestName);

INSTANTIATE_TEST_SUITE_P(
    Memory, FaultTest,
    ::testing::Values(
        FAULT(kMemory, beyond_ub), FAULT(kMemory, beyond_its_buffer),
        FAULT(kMemory, copy_in_beyond_the_input), FAULT(kMemory, copy_out_beyond_the_output),
        FAULT(kMemory, copy_out_to_the_input), FAULT(kMemory, misaligned_operand),
        FAULT(kMemory, misaligned_global_address), FAULT(kMemory, count_that_is_rounded_down),
        FAULT(kMemory, too_many_blocks_of_a_copy), FAULT(kMemory, block_that_is_too_long),
        FAULT(kMemory, padding_that_is_too_wide), FAULT(kMemory, mask_that_is_too_wide),
        FAULT(kMemory, destination_block_stride_of_zero), FAULT(kMemory, operands_that_overlap),
        FAULT(kMemory, more_ub_than_there_is), FAULT(kMemory, more_than_64_buffers),
        FAULT(kMemory, tiling_data_of_another_size)),
    TestName);

INSTANTIATE_TEST_SUITE_P(
    Initialisation, FaultTest,
    ::testing::Values(FAULT(kInitialisation, row_that_nobody_wrote),
                      FAULT(kInitialisation, end_of_a_row_that_nobody_wrote),
                      FAULT(kInitialisation, lanes_that_a_mask_left_out),
                      FAULT(kInitialisation, tail_behind_a_padded_copy),
                      RIGHT(kInitialisation, tail_that_the_padding_filled, 1),
                      FAULT(kInitialisation, tail_of_the_last_turn),
                      FAULT(kInitialisation, workspace_that_nobody_wrote),
                      FAULT_OF_THE_OUTPUT(kInitialisation, output_that_nobody_wrote),
                      FAULT_OF_THE_OUTPUT(kInitialisation, output_written_in_part),
                      FAULT(kInitialisation, copy_out_of_a_row_that_nobody_wrote),
                      FAULT(kInitialisation, scalar_that_nobody_wrote)),
    TestName);

INSTANTIATE_TEST_SUITE_P(
    Synchronisation, FaultTest,
    ::testing::Values(
        FAULT(kSynchronisation, flag_that_nobody_sets), FAULT(kSynchronisation, flag_of_another_id),
        FAULT(kSynchronisation, flag_set_twice), FAULT(kSynchronisation, flag_left_over),
        FAULT(kSynchronisation, event_id_out_of_range),
        FAULT(kSynchronisation, pipes_that_wait_for_each_other),
        FAULT(kSynchronisation, tensor_left_in_its_queue),
        FAULT(kSynchronisation, tensor_that_is_not_freed),
        FAULT(kSynchronisation, dequeue_from_an_empty_queue),
        FAULT(kSynchronisation, allocate_more_than_there_are),
        FAULT(kSynchronisation, tensor_that_is_freed_twice),
        RIGHT(kSynchronisation, queue_in_order, 1),
        FAULT(kSynchronisation, nine_queue_buffers_at_once),
        FAULT_OF_TWO_CORES(kSynchronisation, sync_all_of_one_core_only),
        FAULT_OF_TWO_CORES(kSynchronisation, sync_all_of_a_kernel_without_matrix_cores),
        RIGHT(kSynchronisation, sync_all_of_a_mixed_kernel, 2)),
    TestName);

}  // namespace
