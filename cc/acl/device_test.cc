// Devices and contexts through the C interface. Device 0 depends on ATTNRES_SOC, which is
// read once, so those cases run in a child process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "acl/acl_rt.h"
#include "cc/acl/internal/twin_runtime.h"
#include "cc/host/platform/soc_profiles.h"

namespace {

// True when `check` holds in a process where ATTNRES_SOC is `soc`.
template <typename Check>
bool HoldsWithSoc(const char* soc, Check check) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("ATTNRES_SOC", soc, 1);
    _exit(check() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(Device, DefaultIsAscend950) {
  EXPECT_TRUE(HoldsWithSoc("", [] {
    AclTwinPlatform platform;
    return aclTwinGetPlatform(&platform) == 0 && strcmp(platform.short_name, "ascend950") == 0 &&
           platform.device_id == 0;
  }));
}

TEST(Device, FollowsTheVariable) {
  EXPECT_TRUE(HoldsWithSoc("ascend950", [] {
    AclTwinPlatform platform;
    return aclrtSetDevice(0) == 0 && aclTwinGetPlatform(&platform) == 0 && platform.arch == 3510 &&
           platform.aiv_core_num == 64 && platform.ub_bytes == 253952;
  }));
}

TEST(Device, UnknownSocIsRefusedWithTheListOfThoseThereAre) {
  EXPECT_TRUE(HoldsWithSoc("ascend310p", [] {
    const bool refused = aclrtSetDevice(0) == ACL_ERROR_RT_INVALID_DEVICEID;
    const std::string message = aclGetRecentErrMsg();
    aclrtStream stream = nullptr;
    return refused &&
           message ==
               "ATTNRES_SOC is 'ascend310p': expected one of ascend910b, ascend910_93, ascend950" &&
           aclrtCreateStream(&stream) == ACL_ERROR_RT_INVALID_DEVICEID && stream == nullptr &&
           strcmp(aclrtGetSocName(), "ascend310p") == 0 && aclrtSetDevice(1) == 0;
  }));
}

TEST(Device, IsPerThread) {
  ASSERT_EQ(aclrtSetDevice(2), ACL_SUCCESS);
  int32_t other = -1;
  std::thread([&] { aclrtGetDevice(&other); }).join();
  int32_t own = -1;
  EXPECT_EQ(aclrtGetDevice(&own), ACL_SUCCESS);
  EXPECT_EQ(own, 2);
  EXPECT_EQ(other, 0);
  EXPECT_EQ(aclrtResetDevice(2), ACL_SUCCESS);
  aclrtGetDevice(&own);
  EXPECT_EQ(own, 0);
}

TEST(Device, EveryProfileIsOne) {
  size_t count = 0;
  const attnres::host::SocProfile* profiles = attnres::host::SocProfiles(&count);
  uint32_t devices = 0;
  ASSERT_EQ(aclrtGetDeviceCount(&devices), ACL_SUCCESS);
  ASSERT_EQ(devices, count + 1);
  for (size_t i = 0; i < count; ++i) {
    const int32_t id = aclTwinFindDevice(profiles[i].short_name);
    EXPECT_EQ(id, static_cast<int32_t>(i + 1));
    ASSERT_EQ(aclrtSetDevice(id), ACL_SUCCESS);
    EXPECT_STREQ(aclrtGetSocName(), profiles[i].name);
    AclTwinPlatform platform;
    ASSERT_EQ(aclTwinGetPlatform(&platform), 0);
    EXPECT_EQ(platform.aiv_core_num, profiles[i].aiv_core_num);
    EXPECT_EQ(platform.ub_bytes, profiles[i].ub_bytes);
    EXPECT_EQ(platform.valid, 1);
  }
  EXPECT_EQ(aclTwinFindDevice("ascend310p"), -1);
  EXPECT_EQ(aclTwinFindDevice(nullptr), -1);
  aclrtSetDevice(0);
}

TEST(Device, UnknownIdIsAnError) {
  EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_STREQ(aclGetRecentErrMsg(), "deviceId is -1: expected 0 to 3");
  EXPECT_EQ(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtResetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(Device, NullPointersAreErrors) {
  EXPECT_EQ(aclrtGetDevice(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetDeviceCount(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTwinGetPlatform(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(Init, TwiceIsAnErrorThatChangesNothing) {
  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

TEST(Context, ChoosesTheDevice) {
  aclrtSetDevice(0);
  aclrtContext own = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&own), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 2), ACL_SUCCESS);
  int32_t device = -1;
  aclrtGetDevice(&device);
  EXPECT_EQ(device, 2) << "a new context becomes the current one";
  EXPECT_EQ(aclrtSetCurrentContext(own), ACL_SUCCESS);
  aclrtGetDevice(&device);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSetCurrentContext(context), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyContext(own), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateContext(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateContext(&context, 99), ACL_ERROR_RT_INVALID_DEVICEID);
}

}  // namespace
