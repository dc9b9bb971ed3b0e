// Tasks at work on a stream's thread. The kernel launch is the one place where the
// runtime calls the engine of cc/ascendc/launch.
#include "cc/aclnn/program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cc/aclnn/kernel_regions.h"
#include "cc/aclnn/launch_mode.h"
#include "cc/ascendc/launch/engine.h"
#include "opdev/op_errno.h"

namespace attnres::aclnn {
namespace {

// Threads when the stream does not say: ATTNRES_NUM_THREADS, else 0, which leaves it to
// the engine (one per CPU in the affinity mask).
uint32_t DefaultThreads() {
  const char* text = getenv("ATTNRES_NUM_THREADS");
  if (text == nullptr) return 0;
  const long threads = strtol(text, nullptr, 10);
  return threads > 0 ? static_cast<uint32_t>(std::min(threads, 4096L)) : 0;
}

void PrintLine(void*, uint32_t block_idx, const char* text) {
  aclTwinLog(ACL_INFO, "kernel", ("core " + std::to_string(block_idx) + ": " + text).c_str());
}

template <size_t kSize>
void CopyText(const std::string& text, char (&to)[kSize]) {
  const size_t length = std::min(text.size(), kSize - 1);
  memcpy(to, text.data(), length);
  to[length] = '\0';
}

}  // namespace

acl::Error ProgramTask::Run(acl::Stream& stream) {
  for (const auto& task : program_->tasks) {
    acl::Error error = std::visit([&](const auto& typed) { return RunTask(stream, typed); }, task);
    if (!error.ok()) return error;
  }
  return {};
}

void* ProgramTask::Resolve(const Place& place) const {
  if (place.base == Place::kNowhere) return nullptr;
  void* base =
      place.base == Place::kWorkspace ? workspace_ : addresses_[static_cast<size_t>(place.base)];
  // An empty tensor may have no address; its kernels do not touch it.
  return base == nullptr ? nullptr : static_cast<char*>(base) + place.byte_offset;
}

acl::Error ProgramTask::RunTask(acl::Stream& stream, const CopyTask& task) const {
  RunCopy(task.plan, Resolve(task.from), Resolve(task.to));
  stream.UpdateStats([](AclTwinStats& stats) { ++stats.copy_tasks; });
  return {};
}

acl::Error ProgramTask::RunTask(acl::Stream& stream, const FillTask& task) const {
  RunZeroFill(task.plan, Resolve(task.to));
  stream.UpdateStats([](AclTwinStats& stats) { ++stats.fill_tasks; });
  return {};
}

acl::Error ProgramTask::RunTask(acl::Stream& stream, const KernelTask& task) const {
  const acl::RegisteredOperator::Use use(*task.op);
  if (use.record() == nullptr) {
    return acl::MakeError(ACLNN_ERR_RUNTIME_ERROR, "%s was unloaded before %s ran",
                          task.op->library().c_str(), task.op->name().c_str());
  }
  AddressList args;
  for (const Place& place : task.args) args.Add(Resolve(place));
  args.Add(task.plan->tiling_data.get());
  static const uint32_t default_threads = DefaultThreads();

  launch::Launch launch;
  launch.block_num = task.plan->block_dim;
  launch.ub_bytes = task.ub_bytes;
  launch.args = args.data();
  launch.arg_count = args.size();
  launch.threads = stream.threads() != 0 ? stream.threads() : default_threads;
  launch.gm_bytes = task.tensor_bytes;
  launch.tiling_key = task.plan->tiling_key;
  launch.op_name = task.op->name().c_str();
  launch.print = aclTwinLogEnabled(ACL_INFO) != 0 ? PrintLine : nullptr;
  const std::shared_ptr<const LaunchMode> mode = stream.mode();
  const ChosenKernel& kernel = mode == nullptr ? task.plan->kernel : task.plan->observed_kernel;
  launch.entry = kernel.entry;
  launch::LaunchStats launch_stats;
  launch::Status status;
  if (mode == nullptr) {
    status = launch::Run(launch, &launch_stats);
  } else if (kernel.entry == nullptr) {
    status.message = task.op->library() + " has no kernel that can be observed";
  } else {
    acl::LaunchReport report;
    status = mode->Run({launch, KernelRegions(*task.plan, args), stream.device().profile},
                       &launch_stats, &report);
    stream.set_report(std::move(report));
  }
  stream.UpdateStats([&](AclTwinStats& stats) {
    ++stats.kernel_launches;
    stats.gm_bytes_read += launch_stats.gm_bytes_read;
    stats.gm_bytes_written += launch_stats.gm_bytes_written;
    stats.last_gm_bytes_read = launch_stats.gm_bytes_read;
    stats.last_gm_bytes_written = launch_stats.gm_bytes_written;
    stats.ub_bytes_taken = launch_stats.ub_bytes_taken;
    stats.tiling_key = task.plan->tiling_key;
    stats.block_dim = task.plan->block_dim;
    stats.arch = task.arch;
    stats.dtype = task.dtype;
    CopyText(kernel.isa, stats.isa);
    CopyText(task.op->name(), stats.op_name);
  });
  if (status.ok()) return {};
  return acl::MakeError(ACLNN_ERR_RUNTIME_ERROR, "%s failed on %s: %s", task.op->name().c_str(),
                        stream.device().name, status.message.c_str());
}

}  // namespace attnres::aclnn
