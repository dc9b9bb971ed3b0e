// Memory for the arguments of a described test, and the comparison of what came out.
#include "cc/ascendc/testing/kernel_test.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <utility>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/checks/instruction_counts.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/testing/checked_runner.h"
#include "cc/ascendc/testing/test_values.h"
#include "cc/ascendc/testing/timed_runner.h"

namespace attnres::testing {
namespace {

// As aclrtMalloc aligns.
constexpr size_t kAlignment = 512;

struct Memory {
  std::unique_ptr<uint8_t, void (*)(void*)> data{nullptr, std::free};
  uint64_t bytes = 0;
};

Memory Allocate(uint64_t bytes) {
  Memory memory;
  const size_t rounded = (static_cast<size_t>(bytes) / kAlignment + 1) * kAlignment;
  memory.data.reset(static_cast<uint8_t*>(std::aligned_alloc(kAlignment, rounded)));
  memory.bytes = bytes;
  // NaN in every floating-point type, so that a value nobody wrote shows.
  std::memset(memory.data.get(), 0xFF, rounded);
  return memory;
}

double UniformValue(const KernelTestArgument& argument, std::mt19937_64* random) {
  const double part = static_cast<double>((*random)() >> 11) / 9007199254740992.0;  // 2^53
  const double value = argument.low + (argument.high - argument.low) * part;
  return std::strstr(argument.dtype, "int") == nullptr ? value : std::floor(value);
}

// Writes what `fill` says; returns what is wrong with it.
std::string FillMemory(const KernelTestArgument& argument, Fill fill,
                       const std::vector<double>& values, const char* file, uint8_t* data) {
  const uint64_t size = ElementBytes(argument.dtype);
  if (fill == Fill::kFile) {
    std::string error;
    const std::vector<uint8_t> content = ReadNpy(file, argument.elements * size, &error);
    std::copy(content.begin(), content.end(), data);
    return error;
  }
  if (fill == Fill::kValues && values.empty()) return "values is empty";
  std::mt19937_64 random(argument.seed);
  for (uint64_t i = 0; i < argument.elements && fill != Fill::kNothing; ++i) {
    const double value =
        fill == Fill::kValues ? values[i % values.size()] : UniformValue(argument, &random);
    StoreElement(argument.dtype, value, data + i * size);
  }
  return "";
}

std::string CompareOutput(const KernelTestArgument& argument, const uint8_t* data) {
  if (argument.expected == Fill::kNothing) return "";
  const uint64_t size = ElementBytes(argument.dtype);
  std::vector<uint8_t> wanted(argument.elements * size);
  const std::string error = FillMemory(argument, argument.expected, argument.expected_values,
                                       argument.expected_file, wanted.data());
  if (!error.empty()) return std::string(argument.name) + ": " + error + "\n";
  for (uint64_t i = 0; i < argument.elements; ++i) {
    const double expected = LoadElement(argument.dtype, &wanted[i * size]);
    const double actual = LoadElement(argument.dtype, data + i * size);
    const double most = argument.tolerance * std::max(1.0, std::fabs(expected));
    const bool is_same = actual == expected || (std::isnan(actual) && std::isnan(expected));
    if (is_same || std::fabs(actual - expected) <= most) continue;
    char text[256];
    std::snprintf(text, sizeof(text), "%s[%llu] is %.9g, expected %.9g within %g\n", argument.name,
                  static_cast<unsigned long long>(i), actual, expected, most);
    return text;
  }
  return "";
}

bool IsExpected(const checks::Finding& finding, const std::string& expected) {
  const size_t at = expected.find('@');
  const size_t colon = expected.rfind(':');
  if (at == expected.npos || finding.rule != expected.substr(0, at)) return false;
  if (at + 1 == expected.size()) return finding.place.file.empty();
  return colon != expected.npos && colon > at &&
         expected.substr(colon + 1) == std::to_string(finding.place.line) &&
         checks::PathEndsIn(finding.place.file, expected.substr(at + 1, colon - at - 1));
}

std::string CompareFindings(const KernelTest& test, const std::vector<checks::Finding>& findings) {
  std::string wrong;
  for (const checks::Finding& finding : findings) {
    const bool is_expected =
        std::any_of(test.expected_findings.begin(), test.expected_findings.end(),
                    [&](const char* expected) { return IsExpected(finding, expected); });
    if (!is_expected) wrong += "not expected: " + checks::ToText(finding) + "\n";
  }
  for (const char* expected : test.expected_findings) {
    const bool is_found =
        std::any_of(findings.begin(), findings.end(),
                    [&](const checks::Finding& finding) { return IsExpected(finding, expected); });
    if (!is_found) wrong += std::string("expected, but not found: ") + expected + "\n";
  }
  return wrong;
}

// The argument for the runner; its memory goes to `*memory`.
std::string MakeArgument(const KernelTestArgument& from, Memory* memory, CheckedArgument* to) {
  if (from.kind == ArgumentKind::kNull) {
    *to = NullPointer();
    return "";
  }
  const bool is_plain = from.kind == ArgumentKind::kValue || from.kind == ArgumentKind::kTiling;
  const uint64_t size = is_plain ? 1 : ElementBytes(from.dtype);
  if (size == 0) return std::string("dtype ") + from.dtype + " is not known";
  *memory = Allocate(is_plain ? from.data_bytes : from.elements * size);
  uint8_t* data = memory->data.get();
  if (is_plain) {
    std::memcpy(data, from.data, from.data_bytes);
  } else {
    std::string error = FillMemory(from, from.fill, from.values, from.file, data);
    if (!error.empty()) return error;
  }
  static constexpr checks::RegionKind kKinds[] = {
      checks::RegionKind::kInput, checks::RegionKind::kOutput, checks::RegionKind::kWorkspace,
      checks::RegionKind::kTiling};
  if (from.kind == ArgumentKind::kValue) {
    *to = Value(data);
    return "";
  }
  *to = GlobalMemory(from.name, kKinds[static_cast<size_t>(from.kind)], data, memory->bytes);
  to->region.is_filled = from.kind != ArgumentKind::kInput && from.fill != Fill::kNothing;
  return "";
}

std::string MakeArguments(const KernelTest& test, std::vector<Memory>* memories,
                          std::vector<CheckedArgument>* arguments) {
  memories->resize(test.arguments.size());
  arguments->resize(test.arguments.size());
  for (size_t i = 0; i < test.arguments.size(); ++i) {
    const std::string error = MakeArgument(test.arguments[i], &(*memories)[i], &(*arguments)[i]);
    if (!error.empty()) return std::string(test.arguments[i].name) + ": " + error;
  }
  return "";
}

// The same launch in time mode, from fresh memory; returns what is wrong.
std::string WriteTrace(const KernelTest& test, const char* file) {
  std::vector<Memory> memories;
  std::vector<CheckedArgument> arguments;
  const std::string error = MakeArguments(test, &memories, &arguments);
  if (!error.empty()) return error;
  TimedOptions options;
  options.blocks = test.blocks;
  options.soc = test.soc;
  options.tiling_key = test.tiling_key;
  const TimedRun run = RunKernelTimed(test.entry, options, arguments);
  if (!run.error.empty()) return run.error;
  std::ofstream out(file, std::ios::binary);
  out << run.trace;
  out.close();
  if (!out) return std::string(file) + " cannot be written";
  std::printf("%.2f us on %s, %s written\n", run.result.microseconds(), test.soc, file);
  return "";
}

// Takes the requests of ASCENDC_DUMP; returns what is wrong with them.
std::string ReadDumps(std::vector<std::string>* texts, std::vector<checks::DumpRequest>* requests) {
  const char* given = std::getenv("ASCENDC_DUMP");
  std::string rest = given == nullptr ? "" : given;
  while (!rest.empty()) {
    const std::string text = rest.substr(0, rest.find(','));
    rest.erase(0, text.size() + 1);
    checks::DumpRequest request;
    if (!checks::ReadDumpRequest(text, &request)) {
      return "ASCENDC_DUMP has '" + text +
             "', expected BUFFER@LINE or BUFFER@FILE:LINE, e.g. 3@kernel.cpp:120";
    }
    texts->push_back(text);
    requests->push_back(std::move(request));
  }
  return "";
}

// Each dump into a file named after its request and core; returns what is wrong.
std::string WriteDumps(const std::vector<std::string>& texts,
                       const std::vector<checks::Dump>& dumps) {
  const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  std::vector<bool> is_written(texts.size());
  for (const checks::Dump& dump : dumps) {
    std::string name = texts[dump.request];
    for (char& letter : name) {
      if (letter == '@' || letter == '/' || letter == ':') letter = '_';
    }
    const std::string path = (folder == nullptr ? "" : std::string(folder) + "/") + "dump_" + name +
                             "_core" + std::to_string(dump.core) + ".npy";
    if (!WriteNpy(path, dump.bytes)) return path + " cannot be written\n";
    std::printf("%s written\n", path.c_str());
    is_written[dump.request] = true;
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!is_written[i]) {
      std::printf("nothing to write for %s: no instruction of that line ran, or no such buffer\n",
                  texts[i].c_str());
    }
  }
  return "";
}

void PrintWhatRan(const KernelTest& test, const CheckedOptions& options, const CheckedRun& run) {
  std::string orders;
  for (const checks::Order order : options.check.orders) {
    orders += (orders.empty() ? "" : ", ") + std::string(checks::OrderName(order));
  }
  std::printf("checked %s on %s: %u block%s, orders %s, auto-sync %s: %s\n", test.name, test.soc,
              test.blocks, test.blocks == 1 ? "" : "s", orders.c_str(),
              test.auto_sync ? "on" : "off", checks::CountsText(run.result.instructions).c_str());
}

}  // namespace

bool IsTraceAskedFor() { return std::getenv("ASCENDC_TRACE") != nullptr; }

std::string RunKernelTest(const KernelTest& test) {
  if (IsTraceAskedFor()) return WriteTrace(test, std::getenv("ASCENDC_TRACE"));
  std::vector<Memory> memories;
  std::vector<CheckedArgument> arguments;
  std::string error = MakeArguments(test, &memories, &arguments);
  if (!error.empty()) return error;
  CheckedOptions options;
  options.blocks = test.blocks;
  options.soc = test.soc;
  options.tiling_key = test.tiling_key;
  std::vector<std::string> dumps;
  error = ReadDumps(&dumps, &options.check.dumps);
  if (!error.empty()) return error;
  options.check.auto_sync = test.auto_sync;
  if (!test.orders.empty()) options.check.orders = test.orders;
  const CheckedRun run = RunKernelChecked(test.entry, options, arguments);
  for (const std::string& line : run.lines) std::printf("%s\n", line.c_str());
  PrintWhatRan(test, options, run);
  std::string wrong =
      CompareFindings(test, run.result.findings) + WriteDumps(dumps, run.result.dumps);
  for (size_t i = 0; i < test.arguments.size(); ++i) {
    wrong += CompareOutput(test.arguments[i], memories[i].data.get());
  }
  return wrong;
}

}  // namespace attnres::testing
