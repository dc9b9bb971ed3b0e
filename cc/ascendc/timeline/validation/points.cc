// See points.h.
#include "cc/ascendc/timeline/validation/points.h"

#include <sys/mman.h>

#include <cstring>
#include <functional>

#include "cc/ascendc/launch/engine.h"
#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/timeline.h"
#include "cc/ascendc/timeline/validation/add_stream_arch22_observed.h"
#include "cc/ascendc/timeline/validation/add_stream_arch35_observed.h"
#include "cc/ascendc/timeline/validation/copy_tiles_arch22_observed.h"
#include "cc/ascendc/timeline/validation/copy_tiles_arch35_observed.h"
#include "cc/ascendc/timeline/validation/gelu_stream_observed.h"

namespace attnres::time_mode {
namespace {

constexpr char kA2[] = "ascend910b";
constexpr char k950[] = "ascend950";
constexpr uint64_t kHalf = 2;

// As the kernels declare them.
struct AddPlan {
  uint32_t rows, columns, copy_elements, buffers, is_serial;
  uint32_t x_offset, y_offset, z_offset, in_distance, out_distance;
};
struct CopyPlan {
  uint32_t rows, columns, tile_rows, tile_columns, parts, repeats, reads_all, is_rotated;
};

struct GeluPlan {
  uint32_t elements, tile_elements, in_registers;
};

enum class Kind { kAdd, kCopy, kGelu };

struct Plan {
  Point point;
  uint32_t cores;
  Kind kind;
  bool bypasses_l2;
  AddPlan add;
  CopyPlan copy;
  GeluPlan gelu;
};

Plan Add(const char* name, const char* soc, double measured, double vector, uint32_t cores,
         uint32_t copy_elements, uint32_t buffers, bool is_serial, bool bypasses_l2,
         const char* calibrates = "") {
  const uint32_t size = copy_elements * kHalf;
  // Three buffers one after the other, then their seconds.
  return {{std::string("add ") + name, soc, measured, vector, calibrates},
          cores,
          Kind::kAdd,
          bypasses_l2,
          {8192, 8192, copy_elements, buffers, is_serial, 0, size, 2 * size,
           buffers == 2 ? 3 * size : 0, buffers == 2 ? 3 * size : 0},
          {},
          {}};
}

// Operands half of the bank groups apart.
Plan AddApart(const char* name, double measured, double vector) {
  constexpr uint32_t kMost = 32768;
  constexpr uint32_t kApart = 16256 * kHalf;
  Plan plan = Add(name, kA2, measured, vector, 48, 16256, 2, false, true);
  plan.add.y_offset = kApart;
  plan.add.in_distance = 2 * kMost;
  plan.add.z_offset = 4 * kMost;
  plan.add.out_distance = kApart;
  return plan;
}

Plan Copy(const char* name, const char* soc, double measured, uint32_t columns, uint32_t tile_rows,
          uint32_t tile_columns, const char* calibrates = "") {
  return {{std::string("copy ") + name, soc, measured, 0, calibrates},
          soc == kA2 ? 48u : 64u,
          Kind::kCopy,
          false,
          {},
          {12288, columns, tile_rows, tile_columns, 1, 1, 0, 0},
          {}};
}

Plan Again(const char* name, const char* soc, double measured, uint32_t parts) {
  Plan plan = Copy(name, soc, measured, 12288, 64, 1024);
  plan.copy.parts = parts;
  plan.copy.repeats = 4;
  return plan;
}

Plan SameRows(const char* name, const char* soc, double measured, bool is_rotated) {
  Plan plan = Copy(name, soc, measured, 512, 128, 64);
  plan.copy.rows = 128 * plan.cores;
  plan.copy.reads_all = 1;
  plan.copy.is_rotated = is_rotated;
  return plan;
}

Plan Gelu(const char* name, double measured, double vector, bool in_registers) {
  return {{std::string("gelu ") + name, k950, measured, vector, ""},
          64,
          Kind::kGelu,
          false,
          {},
          {},
          {8192 * 8192 / 64, 8192, in_registers}};
}

std::vector<Plan> Plans() {
  return {
      Add("1: one core", kA2, 6909.6, 761.65, 1, 4096, 1, false, false, "latency of copies"),
      Add("2: all cores", kA2, 306.58, 15.885, 48, 4096, 1, true, false),
      Add("3: larger copies", kA2, 268.5, 12.845, 48, 16384, 1, true, false),
      Add("4: two buffers", kA2, 264.02, 12.846, 48, 16384, 2, false, false),
      Add("5: past L2", kA2, 187.68, 12.846, 48, 16384, 2, false, true),
      AddApart("6: operands in other banks", 184.52, 6.954),
      Copy("1: 128 B", kA2, 564.84, 12288, 1, 64, "cycles of a copy's issue"),
      Copy("2: 8 KiB of 128 B", kA2, 233.54, 12288, 64, 64, "cycles of a block"),
      Copy("3: 128 KiB of 2 KiB", kA2, 215.82, 12288, 64, 1024, "efficiency of GM"),
      Copy("4: misaligned rows", kA2, 275.3, 12287, 64, 1024),
      Again("5: four times, whole", kA2, 828.06, 1),
      Again("6: four times, by quarters", kA2, 365.74, 4),
      SameRows("7: same rows", kA2, 539.42, false),
      SameRows("8: same rows, rotated", kA2, 328.88, true),
      Add("1: one core", k950, 8924.021, 943.362, 1, 4096, 1, false, false, "latency of copies"),
      Add("2: all cores", k950, 310.489, 15.465, 64, 4096, 1, true, false),
      Add("3: larger copies", k950, 251.684, 11.121, 64, 20480, 1, true, false),
      Add("4: two buffers", k950, 247.665, 10.976, 64, 20480, 2, false, false),
      Add("5: past L2", k950, 182.04, 10.997, 64, 20480, 2, false, true),
      Copy("1: 128 B", k950, 884.06, 12288, 1, 64, "cycles of a copy's issue"),
      Copy("2: 8 KiB of 128 B", k950, 208.64, 12288, 64, 64, "cycles of a block"),
      Copy("3: 128 KiB of 2 KiB", k950, 188.52, 12288, 64, 1024),
      Copy("4: misaligned rows", k950, 192.07, 12287, 64, 1024),
      Again("5: four times, whole", k950, 741.58, 1),
      Again("6: four times, by quarters", k950, 354.95, 4),
      SameRows("7: same rows", k950, 342.29, false),
      SameRows("8: same rows, rotated", k950, 335.64, true),
      Gelu("0: instructions on UB", 351.525, 147.895, false),
      Gelu("1: in registers", 348.868, 66.277, true),
  };
}

// Global memory of zeros that takes no room until it is written.
class Zeros {
 public:
  explicit Zeros(uint64_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Zeros() { munmap(data_, bytes_); }
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;

  void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  const uint64_t bytes_;
  void* const data_;
};

Outcome Run(const Plan& plan, AscendcTwinKernelEntry entry, uint64_t ub_bytes, void* const* args,
            size_t arg_count, timeline::Timeline* timeline) {
  launch::Launch launch;
  launch.entry = entry;
  launch.block_num = plan.cores;
  launch.ub_bytes = ub_bytes;
  launch.args = args;
  launch.arg_count = arg_count;
  launch.observer = timeline->observer();
  const launch::Status status = launch::Run(launch, nullptr);
  if (!status.ok()) return {0, 0, 0, status.message};
  const timeline::TimelineResult& result = timeline->Finish();
  if (!result.error.empty()) return {0, 0, 0, result.error};
  const double per_us = result.profile->clock_mhz;
  return {result.microseconds(), result.busy[kAscendcTwinPipeV] / per_us,
          result.busy[kAscendcTwinPipeMte2] / per_us, ""};
}

Outcome RunAdd(Plan plan, const timeline::CostProfile& profile) {
  const uint64_t bytes = uint64_t{plan.add.rows} * plan.add.columns * kHalf;
  const Zeros x(bytes), y(bytes), z(bytes);
  timeline::Timeline timeline(profile);
  timeline.AddGlobalBuffer(x.data(), bytes, plan.bypasses_l2);
  timeline.AddGlobalBuffer(y.data(), bytes, plan.bypasses_l2);
  timeline.AddGlobalBuffer(z.data(), bytes);
  void* const args[] = {x.data(), y.data(), z.data(), &plan.add};
  return profile.npu_arch == 2201
             ? Run(plan, &add_stream_arch22_observed_entry, 196608, args, 4, &timeline)
             : Run(plan, &add_stream_arch35_observed_entry, 253952, args, 4, &timeline);
}

Outcome RunCopy(Plan plan, const timeline::CostProfile& profile) {
  const Zeros x(uint64_t{plan.copy.rows} * plan.copy.columns * kHalf);
  timeline::Timeline timeline(profile);
  timeline.AddGlobalBuffer(x.data(), x.bytes());
  void* const args[] = {x.data(), &plan.copy};
  return profile.npu_arch == 2201
             ? Run(plan, &copy_tiles_arch22_observed_entry, 196608, args, 2, &timeline)
             : Run(plan, &copy_tiles_arch35_observed_entry, 253952, args, 2, &timeline);
}

Outcome RunGelu(Plan plan, const timeline::CostProfile& profile) {
  const uint64_t bytes = uint64_t{plan.gelu.elements} * plan.cores * sizeof(float);
  const Zeros x(bytes), y(bytes);
  timeline::Timeline timeline(profile);
  timeline.AddGlobalBuffer(x.data(), bytes);
  timeline.AddGlobalBuffer(y.data(), bytes);
  void* const args[] = {x.data(), y.data(), &plan.gelu};
  return Run(plan, &gelu_stream_observed_entry, 253952, args, 3, &timeline);
}

}  // namespace

std::vector<Point> Points() {
  std::vector<Point> points;
  for (const Plan& plan : Plans()) points.push_back(plan.point);
  return points;
}

Outcome RunPoint(const Point& point) {
  for (const Plan& plan : Plans()) {
    if (plan.point.name != point.name || strcmp(plan.point.soc, point.soc) != 0) continue;
    const timeline::CostProfile& profile = *timeline::FindCostProfile(point.soc);
    switch (plan.kind) {
      case Kind::kAdd:
        return RunAdd(plan, profile);
      case Kind::kCopy:
        return RunCopy(plan, profile);
      case Kind::kGelu:
        return RunGelu(plan, profile);
    }
  }
  return {0, 0, 0, "there is no such point"};
}

}  // namespace attnres::time_mode
