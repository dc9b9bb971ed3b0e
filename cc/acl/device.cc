// Devices and contexts behind aclInit, aclrtSetDevice and their neighbours.
#include "cc/acl/internal/device.h"

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "cc/acl/internal/handle_table.h"
#include "cc/acl/internal/stream.h"
#include "cc/acl/internal/twin_runtime.h"

namespace attnres::acl {
namespace {

constexpr char kDefaultSoc[] = "ascend950";

std::vector<Device> BuildDevices() {
  static std::string requested_soc;
  const char* environment = getenv("ATTNRES_SOC");
  requested_soc = environment == nullptr || *environment == '\0' ? kDefaultSoc : environment;
  std::vector<Device> devices;
  const host::SocProfile* requested = host::FindSocProfile(requested_soc.c_str());
  devices.push_back({0, requested, requested == nullptr ? requested_soc.c_str() : requested->name});
  size_t count = 0;
  const host::SocProfile* profiles = host::SocProfiles(&count);
  for (size_t i = 0; i < count; ++i) {
    devices.push_back({static_cast<int32_t>(i + 1), &profiles[i], profiles[i].name});
  }
  return devices;
}

// Kept for the life of the process: streams may still run while statics are destroyed.
const std::vector<Device>& Devices() {
  static const auto* devices = new std::vector<Device>(BuildDevices());
  return *devices;
}

HandleTable<Context>& Contexts() {
  static auto* table = new HandleTable<Context>(HandleKind::kContext);
  return *table;
}

// The contexts that aclrtSetDevice chooses, one per device, and their handles.
struct PrimaryContext {
  std::shared_ptr<Context> context;
  void* handle = nullptr;
};

const std::vector<PrimaryContext>& PrimaryContexts() {
  static const auto* contexts = [] {
    auto* made = new std::vector<PrimaryContext>;
    for (const Device& device : Devices()) {
      auto context = std::make_shared<Context>(&device);
      void* handle = Contexts().Insert(context);
      made->push_back({std::move(context), handle});
    }
    return made;
  }();
  return *contexts;
}

bool IsPrimary(const void* handle) {
  for (const PrimaryContext& primary : PrimaryContexts()) {
    if (primary.handle == handle) return true;
  }
  return false;
}

thread_local void* current_context = nullptr;  // a handle; null means device 0's own

std::atomic<bool> initialized{false};

std::string SocList() {
  size_t count = 0;
  const host::SocProfile* profiles = host::SocProfiles(&count);
  std::string list;
  for (size_t i = 0; i < count; ++i) {
    list += (i == 0 ? "" : ", ") + std::string(profiles[i].short_name);
  }
  return list;
}

Error CheckDevice(int32_t id) {
  const Device* device = FindDevice(id);
  if (device == nullptr) {
    return MakeError(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId is %d: expected 0 to %u", id,
                     DeviceCount() - 1);
  }
  return device->profile == nullptr ? NoProfileError(*device) : Error{};
}

Error WaitForStreams(const Device& device) {
  Error first;
  for (const auto& stream : Stream::All()) {
    if (stream->device().id != device.id) continue;
    Error error = stream->Synchronize(Stream::kNoTimeout);
    if (first.ok()) first = std::move(error);
  }
  return first;
}

}  // namespace

std::shared_ptr<Stream> Context::DefaultStream() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (default_stream_ == nullptr) {
    void* handle = Stream::Create(device(), Stream::Kind::kAsynchronous);
    default_stream_ = Stream::FindLive(handle);
  }
  return default_stream_;
}

const Device* FindDevice(int32_t id) {
  const auto& devices = Devices();
  if (id < 0 || static_cast<size_t>(id) >= devices.size()) return nullptr;
  return &devices[static_cast<size_t>(id)];
}

uint32_t DeviceCount() { return static_cast<uint32_t>(Devices().size()); }

std::shared_ptr<Context> CurrentContext() {
  if (current_context != nullptr) {
    if (auto context = Contexts().Find(current_context)) return context;
  }
  return PrimaryContexts().front().context;
}

Error NoProfileError(const Device& device) {
  return MakeError(ACL_ERROR_RT_INVALID_DEVICEID, "ATTNRES_SOC is '%s': expected one of %s",
                   device.name, SocList().c_str());
}

}  // namespace attnres::acl

using attnres::acl::Report;
using attnres::acl::ReportError;

extern "C" {

aclError aclInit(const char*) {
  if (attnres::acl::initialized.exchange(true)) {
    return ReportError(ACL_ERROR_REPEAT_INITIALIZE, "aclInit was called before: call it once");
  }
  return ACL_SUCCESS;
}

aclError aclFinalize(void) {
  if (!attnres::acl::initialized.exchange(false)) {
    return ReportError(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize without aclInit before it");
  }
  return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t deviceId) {
  const attnres::acl::Error error = attnres::acl::CheckDevice(deviceId);
  if (!error.ok()) return Report(error);
  attnres::acl::current_context =
      attnres::acl::PrimaryContexts()[static_cast<size_t>(deviceId)].handle;
  return ACL_SUCCESS;
}

aclError aclrtGetDevice(int32_t* deviceId) {
  if (deviceId == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "deviceId is null");
  *deviceId = attnres::acl::CurrentContext()->device().id;
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t deviceId) {
  const attnres::acl::Error error = attnres::acl::CheckDevice(deviceId);
  if (!error.ok()) return Report(error);
  return attnres::acl::ReportGuarded(ACL_ERROR_BAD_ALLOC, [&] {
    attnres::acl::Error task_error =
        attnres::acl::WaitForStreams(*attnres::acl::FindDevice(deviceId));
    if (attnres::acl::CurrentContext()->device().id == deviceId) {
      attnres::acl::current_context = nullptr;
    }
    return task_error;
  });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  if (count == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "count is null");
  *count = attnres::acl::DeviceCount();
  return ACL_SUCCESS;
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  if (runMode == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "runMode is null");
  *runMode = ACL_HOST;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeDevice(void) {
  return attnres::acl::ReportGuarded(ACL_ERROR_BAD_ALLOC, [] {
    return attnres::acl::WaitForStreams(attnres::acl::CurrentContext()->device());
  });
}

const char* aclrtGetSocName(void) { return attnres::acl::CurrentContext()->device().name; }

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  if (context == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "context is null");
  const attnres::acl::Error error = attnres::acl::CheckDevice(deviceId);
  if (!error.ok()) return Report(error);
  return attnres::acl::ReportGuarded(ACL_ERROR_BAD_ALLOC, [&] {
    *context = attnres::acl::Contexts().Insert(
        std::make_shared<attnres::acl::Context>(attnres::acl::FindDevice(deviceId)));
    attnres::acl::current_context = *context;
    return attnres::acl::Error{};
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  if (attnres::acl::IsPrimary(context)) {
    return ReportError(ACL_ERROR_INVALID_PARAM,
                       "context belongs to the device: expected one from aclrtCreateContext");
  }
  if (attnres::acl::Contexts().Remove(context) == nullptr) {
    return ReportError(ACL_ERROR_RT_INVALID_HANDLE, "context does not live");
  }
  if (attnres::acl::current_context == context) attnres::acl::current_context = nullptr;
  return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  if (attnres::acl::Contexts().Find(context) == nullptr) {
    return ReportError(ACL_ERROR_RT_INVALID_HANDLE, "context does not live");
  }
  attnres::acl::current_context = context;
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  if (context == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "context is null");
  *context = attnres::acl::current_context != nullptr
                 ? attnres::acl::current_context
                 : attnres::acl::PrimaryContexts().front().handle;
  return ACL_SUCCESS;
}

int32_t aclTwinGetPlatform(AclTwinPlatform* platform) {
  if (platform == nullptr) return ReportError(ACL_ERROR_INVALID_PARAM, "platform is null");
  const auto context = attnres::acl::CurrentContext();
  const attnres::acl::Device& device = context->device();
  *platform = AclTwinPlatform{};
  platform->device_id = device.id;
  platform->soc_name = device.name;
  platform->short_name = device.name;
  if (device.profile == nullptr) return ACL_SUCCESS;
  platform->valid = 1;
  platform->short_name = device.profile->short_name;
  platform->arch = device.profile->npu_arch;
  platform->aic_core_num = device.profile->aic_core_num;
  platform->aiv_core_num = device.profile->aiv_core_num;
  platform->ub_bytes = device.profile->ub_bytes;
  return ACL_SUCCESS;
}

int32_t aclTwinFindDevice(const char* name) {
  const attnres::host::SocProfile* profile =
      name == nullptr ? nullptr : attnres::host::FindSocProfile(name);
  if (profile == nullptr) return -1;
  for (int32_t id = 1; attnres::acl::FindDevice(id) != nullptr; ++id) {
    if (attnres::acl::FindDevice(id)->profile == profile) return id;
  }
  return -1;
}

}  // extern "C"
