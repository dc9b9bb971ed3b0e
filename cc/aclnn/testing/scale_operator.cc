// The operator's tiling, kernel and aclnn functions, and the fixture.
#include "cc/aclnn/testing/scale_operator.h"

#include <cstdio>
#include <cstring>

#include "aclnn_kernels/contiguous.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/aclnn/internal/executor_api.h"
#include "level0/zero_op.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_dfx.h"
#include "opdev/op_errno.h"
#include "opdev/shape_utils.h"
#include "opdev/tensor_view_utils.h"

namespace l0op {

OP_TYPE_REGISTER(Scale);

static aclnnStatus Scale(const aclTensor* x, int64_t factor, const aclTensor* y,
                         aclOpExecutor* executor) {
  L0_DFX(Scale, x, factor);
  return ADD_TO_LAUNCHER_LIST_AICORE(Scale, OP_INPUT(x), OP_OUTPUT(y), OP_ATTR(factor));
}

}  // namespace l0op

namespace attnres::aclnn {
namespace {

struct ScaleTiling {
  int64_t count;
  int64_t factor;
};

int tilings = 0;
std::string tiled_soc;

int32_t TileScale(const AclTwinTilingRequest* request, AclTwinTilingResult* result) {
  ++tilings;
  tiled_soc = request->soc;
  int64_t count = 1;
  for (uint64_t i = 0; i < request->inputs[0].rank; ++i) count *= request->inputs[0].dims[i];
  if (count == kRefusedCount) {
    snprintf(result->message, sizeof result->message, "13 elements bring bad luck");
    return 1;
  }
  const ScaleTiling tiling = {count, request->attrs[0].value.integer};
  memcpy(result->tiling_data, &tiling, sizeof tiling);
  result->tiling_data_size = sizeof tiling;
  result->tiling_key = count == kUncompiledCount ? 1 : 0;
  result->block_dim = kBlocks;
  result->workspace_bytes = kUserWorkspaceBytes;
  return 0;
}

// Goes through the workspace, so that a wrong one shows.
void RunScale(AscendcTwinCore* core, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  auto* y = static_cast<float*>(args[1]);
  auto* workspace = static_cast<float*>(args[2]);
  const auto& tiling = *static_cast<const ScaleTiling*>(args[3]);
  if (tiling.factor == kFailingFactor) core->fail(core, "factor 99 is not for this kernel");
  for (int64_t i = core->block_idx; i < tiling.count; i += core->block_num) {
    workspace[core->block_idx] = x[i] * static_cast<float>(tiling.factor);
    y[i] = workspace[core->block_idx];
  }
}

// As RunScale, and tells its observer of one scalar read per core and of what it writes.
void RunObservedScale(AscendcTwinCore* core, void* const* args) {
  if (core->observer->begin != nullptr) core->observer->begin(core);
  const AscendcTwinPlace place = {"scale.cpp", 7, 3};
  core->observer->scalar_access(core, reinterpret_cast<uint64_t>(args[0]), sizeof(float), 0, 1,
                                &place);
  const auto* y = static_cast<const float*>(args[1]);
  const AscendcTwinPlace write = {"scale.cpp", 9, 3};
  const int64_t count = static_cast<const ScaleTiling*>(args[3])->count;
  for (int64_t i = core->block_idx; i < count; i += core->block_num) {
    core->observer->scalar_access(core, reinterpret_cast<uint64_t>(y + i), sizeof(float), 1, 1,
                                  &write);
  }
  RunScale(core, args);
  if (core->observer->end != nullptr) core->observer->end(core);
}

const char* NameScale(int32_t is_output, uint64_t index) {
  return index != 0 ? nullptr : is_output != 0 ? "y" : "x";
}

constexpr AclTwinKernel kKernels[] = {{2201, ACL_FLOAT, 0, kIsa, RunScale}};
constexpr AclTwinKernel kObservedKernels[] = {{2201, ACL_FLOAT, 0, kIsa, RunObservedScale}};

}  // namespace

const AclTwinOperator kScale = {"Scale", TileScale,        kKernels, 1,        nullptr,
                                0,       kObservedKernels, 1,        NameScale};

int ScaleTilings() { return tilings; }
std::string ScaleTiledSoc() { return tiled_soc; }

aclnnStatus aclnnScaleGetWorkspaceSize(const aclTensor* x, int64_t factor, const aclTensor* y,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  L2_DFX_PHASE_1(aclnnScale, DFX_IN(x, factor), DFX_OUT(y));
  auto unique = CREATE_EXECUTOR();
  CHECK_RET(unique.get() != nullptr, ACLNN_ERR_RUNTIME_ERROR);
  if (!x->IsEmpty() && factor == 0) {
    const aclTensor* zeros = l0op::ZerosLike(y, unique.get());
    CHECK_RET(l0op::ViewCopy(zeros, y, unique.get()) != nullptr, ACLNN_ERR_RUNTIME_ERROR);
  } else if (!x->IsEmpty()) {
    const aclTensor* contiguous = l0op::Contiguous(x, unique.get());
    CHECK_RET(contiguous != nullptr, ACLNN_ERR_PARAM_INVALID);
    const aclTensor* result =
        op::IsContiguous(y) ? y : unique->AllocTensor(y->GetViewShape(), y->GetDataType());
    const aclnnStatus status = l0op::Scale(contiguous, factor, result, unique.get());
    CHECK_RET(status == ACLNN_SUCCESS, status);
    if (result != y) l0op::ViewCopy(result, y, unique.get());
  }
  *workspaceSize = unique->GetWorkspaceSize();
  unique.ReleaseTo(executor);
  return ACLNN_SUCCESS;
}

aclnnStatus aclnnScale(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  L2_DFX_PHASE_2(aclnnScale);
  return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}

TensorPtr Tensor(const std::vector<int64_t>& dims, float* data, const std::vector<int64_t>& strides,
                 int64_t offset) {
  return TensorPtr(aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT,
                                   strides.empty() ? nullptr : strides.data(), offset,
                                   ACL_FORMAT_ND, nullptr, 0, data));
}

std::vector<float> Count(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i + 1);
  return values;
}

void ExecutorTest::SetUp() {
  ASSERT_EQ(aclTwinRegisterOperator(&kScale), 0);
  ASSERT_EQ(aclrtSetDevice(aclTwinFindDevice("ascend910b")), 0);
  ASSERT_EQ(aclrtCreateStream(&stream_), 0);
}

void ExecutorTest::TearDown() {
  aclrtDestroyStream(stream_);
  aclTwinUnregisterOperator(&kScale);
  EXPECT_EQ(aclTwinLiveExecutorCount(), 0u) << "executors leaked";
}

aclOpExecutor* ExecutorTest::Prepare(const aclTensor* x, int64_t factor, const aclTensor* y) {
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(x, factor, y, &workspace_size_, &executor), 0)
      << aclGetRecentErrMsg();
  workspace_.assign(workspace_size_, 0);
  return executor;
}

}  // namespace attnres::aclnn
