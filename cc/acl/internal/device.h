// Devices and contexts: which SoC the calling thread works on. A device is a SoC
// profile; a context is a device and a default stream. stream.h has the streams.
#ifndef CC_ACL_INTERNAL_DEVICE_H_
#define CC_ACL_INTERNAL_DEVICE_H_

#include <cstdint>
#include <memory>
#include <mutex>

#include "cc/acl/internal/error_message.h"
#include "cc/host/platform/soc_profiles.h"

namespace attnres::acl {

class Stream;

struct Device {
  int32_t id = 0;
  // Null when the device is device 0 and ATTNRES_SOC names no profile.
  const host::SocProfile* profile = nullptr;
  // The profile's name, or what ATTNRES_SOC says.
  const char* name = "";
};

class Context {
 public:
  explicit Context(const Device* device) : device_(device) {}

  const Device& device() const { return *device_; }

  // Made at the first call.
  std::shared_ptr<Stream> DefaultStream();

 private:
  const Device* device_;
  std::mutex mutex_;
  std::shared_ptr<Stream> default_stream_;
};

// Null when there is no device `id`.
const Device* FindDevice(int32_t id);

uint32_t DeviceCount();

// The calling thread's context: the one set last, else that of device 0. It stays
// valid when it is destroyed meanwhile.
std::shared_ptr<Context> CurrentContext();

// The error for a device without a profile: what ATTNRES_SOC says and which SoCs there are.
Error NoProfileError(const Device& device);

}  // namespace attnres::acl

#endif  // CC_ACL_INTERNAL_DEVICE_H_
