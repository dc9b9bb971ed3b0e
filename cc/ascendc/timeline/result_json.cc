// See result_json.h.
#include "cc/ascendc/timeline/result_json.h"

#include "cc/ascendc/timeline/json_writer.h"
#include "cc/ascendc/timeline/names.h"

namespace attnres::timeline {
namespace {

constexpr size_t kMostWaits = 50;
constexpr const char* kPipeKeys[] = {"scalar", "vector", "copy_in", "copy_out"};

class ResultWriter {
 public:
  explicit ResultWriter(const TimelineResult& result) : result_(result) {}

  std::string Write() {
    json_.BeginObject();
    json_.Field("soc", result_.profile->name).Field("cores", result_.cores);
    if (!result_.error.empty()) {
      json_.Field("error", result_.error).EndObject();
      return json_.Take();
    }
    WriteTotals();
    WritePipes();
    WriteMemory();
    WriteRoofline();
    WritePath();
    json_.Key("lines").BeginArray();
    for (const LineResult& line : result_.lines) WriteLine(line);
    json_.EndArray().EndObject();
    return json_.Take();
  }

 private:
  double Us(double cycles) const { return cycles / result_.profile->clock_mhz; }

  void WriteTotals() {
    json_.Field("clock_mhz", result_.profile->clock_mhz)
        .Field("microseconds", result_.microseconds())
        .Field("task_overhead_microseconds", result_.profile->task_overhead_us)
        .Field("host_launch_microseconds", result_.profile->launch_us)
        .Field("cycles", result_.cycles)
        .Field("instructions", result_.instructions);
    json_.Key("each_core_microseconds").BeginArray();
    for (const double cycles : result_.core_cycles) json_.Value(Us(cycles));
    json_.EndArray();
  }

  void WritePipes() {
    json_.Key("pipes").BeginObject();
    for (uint8_t pipe = 0; pipe < kAscendcTwinPipes; ++pipe) {
      json_.Key(kPipeKeys[pipe]).BeginObject();
      json_.Field("busy_microseconds", Us(result_.busy[pipe]))
          .Field("busy_share", result_.busy_share(pipe))
          .EndObject();
    }
    json_.EndObject();
  }

  void WriteMemory() {
    json_.Key("gm").BeginObject();
    json_.Field("bytes_read", result_.gm_bytes_read)
        .Field("bytes_written", result_.gm_bytes_written)
        .Field("bytes_read_from_l2", result_.traffic.hit)
        .Field("bytes_read_beyond_l2", result_.traffic.read)
        .Field("bytes_written_beyond_l2", result_.traffic.written)
        .Field("limit_bytes_per_second", result_.profile->gm_bytes_per_second)
        .Field("limit_microseconds", result_.gm_limit_microseconds())
        .Field("share_of_limit", result_.gm_share())
        .EndObject();
  }

  void WriteRoofline() {
    const CostProfile& profile = *result_.profile;
    const double seconds = result_.microseconds() * 1e-6;
    const double peak_cores = result_.cores < profile.cores ? result_.cores : profile.cores;
    const double at_a_time = profile.vf_issues_per_cycle > 1 ? profile.vf_issues_per_cycle : 1;
    // Of the elements that the kernel's vector instructions have, on average: a unit works on twice
    // as many halves as floats.
    const double element_bytes = result_.vector_elements > 0
                                     ? result_.vector_bytes / result_.vector_elements
                                     : double{sizeof(float)};
    json_.Key("roofline").BeginObject();
    json_.Field("vector_elements", result_.vector_elements)
        .Field("element_bytes", element_bytes)
        .Field("elements_per_byte",
               result_.gm_bytes() > 0 ? result_.vector_elements / result_.gm_bytes() : 0)
        .Field("elements_per_second", seconds > 0 ? result_.vector_elements / seconds : 0)
        .Field("peak_elements_per_second", at_a_time * profile.vector_bytes_per_cycle /
                                               element_bytes * profile.clock_mhz * 1e6 * peak_cores)
        .Field("gm_bytes_per_second", profile.gm_bytes_per_second)
        .Field("l2_bytes_per_second", profile.l2_bytes_per_second)
        .EndObject();
  }

  void WriteParts(const CriticalPath::Parts& parts) {
    json_.BeginObject();
    for (uint8_t part = 0; part < kPathParts; ++part) {
      if (parts[part] > 0) json_.Field(PathPartName(part), Us(parts[part]));
    }
    json_.EndObject();
  }

  void WritePlace(const char* prefix, const SourceLine& line) {
    json_.Field(std::string(prefix) + "file", line.first)
        .Field(std::string(prefix) + "line", line.second);
  }

  void WritePath() {
    json_.Key("critical_path").BeginObject();
    json_.Key("parts");
    WriteParts(result_.path);
    json_.Key("waits").BeginArray();
    for (size_t i = 0; i < result_.waits.size() && i < kMostWaits; ++i) {
      const WaitResult& wait = result_.waits[i];
      json_.BeginObject();
      WritePlace("", wait.line);
      json_.Field("pipe", PipeName(wait.pipe));
      WritePlace("for_", wait.for_line);
      json_.Field("for_pipe", PipeName(wait.for_pipe)).Field("microseconds", Us(wait.cycles));
      json_.EndObject();
    }
    json_.EndArray().EndObject();
  }

  void WriteLine(const LineResult& line) {
    json_.BeginObject();
    WritePlace("", line.line);
    json_.Field("instruction", line.instruction)
        .Field("count", line.count)
        .Field("gm_bytes", line.bytes);
    json_.Key("busy").BeginObject();
    for (uint8_t pipe = 0; pipe < kAscendcTwinPipes; ++pipe) {
      if (line.busy[pipe] > 0) json_.Field(kPipeKeys[pipe], Us(line.busy[pipe]));
    }
    json_.EndObject();
    json_.Field("critical_path_microseconds", Us(line.path_total()));
    json_.Key("critical_path");
    WriteParts(line.path);
    json_.EndObject();
  }

  const TimelineResult& result_;
  JsonWriter json_;
};

}  // namespace

std::string ResultJson(const TimelineResult& result) { return ResultWriter(result).Write(); }

}  // namespace attnres::timeline
