// Runs the operator on a fixed grid of 200 cases and prints a line for each, so that programs of
// other instruction sets can be compared line by line:
//
//   CASE path=… isa=… gradPartialBlock=HASH gradBlockRes=HASH gradProjWeight=HASH
//   gradNormWeight=HASH
//
// `--list` prints the cases alone. Inputs are bit patterns from an integer generator, without any
// mathematical library: the same everywhere. The operator is linked in statically, called through
// its public interface. The grid covers every SoC that it has kernels for.
#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_block_attention_residuals_grad.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/twin_runtime.h"

namespace {

constexpr size_t kCaseCount = 200;
constexpr uint64_t kSeed = 20251128;
constexpr const char* kOperator = "BlockAttentionResidualsGrad";

struct MainDtype {
  const char* name;
  aclDataType type;
  int exponent_bits;
  int mantissa_bits;
};
constexpr MainDtype kDtypes[] = {
    {"fp16", ACL_FLOAT16, 5, 10}, {"bf16", ACL_BF16, 8, 7}, {"fp32", ACL_FLOAT, 8, 23}};
constexpr MainDtype kFloat32 = kDtypes[2];

// Widths on both sides of vector lengths, of UB blocks and of the tiling's limits; the last ones
// are SPLIT_H on every SoC.
constexpr int64_t kHiddenSizes[] = {
    1,   2,   3,   7,    8,    15,   16,   17,   31,   33,   63,   64,   65,    100,   127,  128,
    255, 513, 520, 1000, 1168, 2049, 4096, 6032, 7186, 7744, 8192, 9000, 12288, 16384, 20000};
// Coprime to the numbers of SoCs and dtypes, so that the walk below meets every combination.
static_assert(std::size(kHiddenSizes) == 31);
constexpr int64_t kBlocks[] = {0, 1, 2, 3, 4, 8, 17, 128};
// Below, at and above the number of cores.
constexpr int64_t kTokens[] = {1, 2, 3, 5, 40, 48, 49, 64, 65, 97, 129};
// Elements of V, so that an emulated processor is done in seconds.
constexpr int64_t kMostElements = 40000;

// Bits for the exponent: what values a tensor has.
enum class Values {
  kOrdinary,   // magnitudes from 2^-4 to 2^1, either sign
  kPositive,   // the same, positive
  kAnyFinite,  // all exponents but the highest: subnormal numbers, and products that overflow
  kAnyBits,    // infinities and NaNs as well
};

struct Case {
  AclTwinPlatform soc;
  const MainDtype* dtype;
  int64_t tokens;
  int64_t blocks;
  int64_t hidden;
  Values values;

  std::string Name() const {
    static const char* const kNames[] = {"", "", "-finite", "-bits"};
    return std::string(dtype->name) + "-T" + std::to_string(tokens) + "-N" +
           std::to_string(blocks) + "-H" + std::to_string(hidden) + "-" + soc.short_name +
           (soc.arch == 3510 ? "-arch35" : "-arch22") + kNames[static_cast<int>(values)];
  }
};

bool HasKernels(uint32_t arch) {
  const AclTwinOperator* op = aclTwinFindOperator(kOperator);
  return op != nullptr &&
         std::any_of(op->kernels, op->kernels + op->kernel_count,
                     [&](const AclTwinKernel& kernel) { return kernel.arch == arch; });
}

// Device 0 is one of the others again.
std::vector<AclTwinPlatform> Socs() {
  uint32_t count = 0;
  aclrtGetDeviceCount(&count);
  std::vector<AclTwinPlatform> socs;
  for (uint32_t device = 1; device < count; ++device) {
    AclTwinPlatform platform;
    aclrtSetDevice(static_cast<int32_t>(device));
    aclTwinGetPlatform(&platform);
    if (HasKernels(platform.arch)) socs.push_back(platform);
  }
  return socs;
}

// SplitMix64: a stream of numbers for each seed.
class Generator {
 public:
  explicit Generator(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

template <typename T, size_t kSize>
const T& Pick(const T (&values)[kSize], Generator* generator) {
  return values[generator->Next() % kSize];
}

std::vector<Case> Grid() {
  const auto socs = Socs();
  std::vector<Case> grid;
  std::vector<std::string> names;
  Generator generator(kSeed);
  for (size_t turn = 0; !socs.empty() && grid.size() < kCaseCount; ++turn) {
    const auto hidden = kHiddenSizes[turn % std::size(kHiddenSizes)];
    Case next = {socs[turn % socs.size()],
                 &kDtypes[turn / socs.size() % std::size(kDtypes)],
                 Pick(kTokens, &generator),
                 Pick(kBlocks, &generator),
                 hidden,
                 turn % 7 == 3   ? Values::kAnyFinite
                 : turn % 7 == 5 ? Values::kAnyBits
                                 : Values::kOrdinary};
    while (next.tokens > 1 && next.tokens * (next.blocks + 1) * hidden > kMostElements) {
      next.tokens = (next.tokens + 1) / 2;
    }
    if (next.tokens * (next.blocks + 1) * hidden > 2 * kMostElements) continue;
    if (std::find(names.begin(), names.end(), next.Name()) != names.end()) continue;
    names.push_back(next.Name());
    grid.push_back(next);
  }
  return grid;
}

uint64_t RandomBits(const MainDtype& dtype, Values values, Generator* generator) {
  const uint64_t random = generator->Next();
  const uint64_t mantissa = random & ((uint64_t{1} << dtype.mantissa_bits) - 1);
  const uint64_t highest = (uint64_t{1} << dtype.exponent_bits) - 1;
  const uint64_t bias = highest >> 1;
  const uint64_t choice = (random >> 32) & 0xffff;
  uint64_t exponent = bias - 4 + choice % 6;
  if (values == Values::kAnyFinite) exponent = choice % highest;
  // Rare, or no token would be without.
  if (values == Values::kAnyBits && choice % 2048 == 0) exponent = highest;
  const uint64_t sign = values == Values::kPositive ? 0 : random >> 63;
  return ((sign << dtype.exponent_bits | exponent) << dtype.mantissa_bits) | mantissa;
}

class Tensor {
 public:
  Tensor(std::vector<int64_t> dims, const MainDtype& dtype)
      : dims_(std::move(dims)), element_bytes_(aclDataTypeSize(dtype.type)), dtype_(dtype) {
    count_ = 1;
    for (const int64_t dim : dims_) count_ *= static_cast<size_t>(dim);
    bytes_.assign(std::max<size_t>(count_ * element_bytes_, 1), 0xff);
    handle_ = aclCreateTensor(dims_.data(), dims_.size(), dtype.type, nullptr, 0, ACL_FORMAT_ND,
                              dims_.data(), dims_.size(), bytes_.data());
  }
  ~Tensor() { aclDestroyTensor(handle_); }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  void Fill(Values values, Generator* generator) {
    for (size_t i = 0; i < count_; ++i) {
      const uint64_t bits = RandomBits(dtype_, values, generator);
      // Little-endian, as all that the kernels are compiled for.
      memcpy(&bytes_[i * element_bytes_], &bits, element_bytes_);
    }
  }

  // FNV-1a.
  uint64_t Hash() const {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count_ * element_bytes_; ++i) {
      hash = (hash ^ bytes_[i]) * 1099511628211u;
    }
    return hash;
  }

  const aclTensor* handle() const { return handle_; }

 private:
  std::vector<int64_t> dims_;
  size_t element_bytes_;
  size_t count_;
  const MainDtype& dtype_;
  std::vector<unsigned char> bytes_;
  aclTensor* handle_;
};

bool Report(const Case& entry, const char* what) {
  fprintf(stderr, "%s: %s: %s\n", entry.Name().c_str(), what, aclGetRecentErrMsg());
  return false;
}

bool RunCase(const Case& entry, size_t index) {
  const int64_t t = entry.tokens, n = entry.blocks, h = entry.hidden;
  const MainDtype& main = *entry.dtype;
  Tensor partial({t, h}, main), blocks({t, n, h}, main), proj({1, h}, main), norm({h}, main);
  Tensor grad({t, h}, main), inv_norm({t, n + 1}, kFloat32), probs({t, n + 1}, kFloat32);
  Tensor grad_partial({t, h}, main), grad_blocks({t, n, h}, main), grad_proj({1, h}, main);
  Tensor grad_norm({h}, main);
  Generator generator(kSeed + index);
  for (Tensor* tensor : {&partial, &blocks, &proj, &norm, &grad}) {
    tensor->Fill(entry.values, &generator);
  }
  for (Tensor* tensor : {&inv_norm, &probs}) tensor->Fill(Values::kPositive, &generator);

  aclrtStream stream = nullptr;
  if (aclrtSetDevice(entry.soc.device_id) != 0) return Report(entry, "device");
  if (aclrtCreateStream(&stream) != 0) return Report(entry, "stream");
  uint64_t workspace_bytes = 0;
  aclOpExecutor* executor = nullptr;
  if (aclnnBlockAttentionResidualsGradGetWorkspaceSize(
          partial.handle(), blocks.handle(), proj.handle(), norm.handle(), grad.handle(),
          inv_norm.handle(), probs.handle(), -1, grad_partial.handle(), grad_blocks.handle(),
          grad_proj.handle(), grad_norm.handle(), &workspace_bytes, &executor) != 0) {
    return Report(entry, "phase 1");
  }
  std::vector<unsigned char> workspace(workspace_bytes + 1, 0xff);
  if (aclnnBlockAttentionResidualsGrad(workspace.data(), workspace_bytes, executor, stream) != 0 ||
      aclrtSynchronizeStream(stream) != 0) {
    return Report(entry, "phase 2");
  }
  AclTwinStats stats;
  aclTwinGetStreamStats(stream, &stats);
  aclrtDestroyStream(stream);
  printf("%s path=%s isa=%s gradPartialBlock=%016" PRIx64 " gradBlockRes=%016" PRIx64
         " gradProjWeight=%016" PRIx64 " gradNormWeight=%016" PRIx64 "\n",
         entry.Name().c_str(), stats.tiling_key == 0 ? "FULL_H" : "SPLIT_H", stats.isa,
         grad_partial.Hash(), grad_blocks.Hash(), grad_proj.Hash(), grad_norm.Hash());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool list = argc > 1 && strcmp(argv[1], "--list") == 0;
  const std::vector<Case> grid = Grid();
  for (size_t i = 0; i < grid.size(); ++i) {
    if (list) {
      printf("%s\n", grid[i].Name().c_str());
    } else if (!RunCase(grid[i], i)) {
      return 1;
    }
  }
  return 0;
}
