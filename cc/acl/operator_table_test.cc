// The operator table: registering, finding, and waiting for use at the end.
#include "cc/acl/internal/operator_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "acl/acl_base.h"
#include "cc/acl/internal/operator_registry.h"

namespace attnres::acl {
namespace {

constexpr AclTwinApi kApis[] = {{"aclnnSample", "ti", 2, nullptr, nullptr}};
constexpr AclTwinOperator kSample = {"Sample", nullptr, nullptr, 0, kApis, 1, nullptr, 0, nullptr};

class OperatorTableTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclTwinRegisterOperator(&kSample), 0); }
  void TearDown() override { aclTwinUnregisterOperator(&kSample); }
};

TEST_F(OperatorTableTest, FindsByName) {
  EXPECT_EQ(aclTwinFindOperator("Sample"), &kSample);
  EXPECT_EQ(aclTwinFindApi("aclnnSample"), &kApis[0]);
  EXPECT_EQ(aclTwinFindOperator("Other"), nullptr);
  EXPECT_EQ(aclTwinFindApi("aclnnOther"), nullptr);
  EXPECT_EQ(aclTwinFindOperator(nullptr), nullptr);
  EXPECT_EQ(aclTwinFindApi(nullptr), nullptr);
  EXPECT_EQ(aclTwinOperatorCount(), 1u);
  EXPECT_EQ(aclTwinOperatorAt(0), &kSample);
  EXPECT_EQ(aclTwinOperatorAt(1), nullptr);
  EXPECT_EQ(FindRegisteredOperator("Sample")->name(), "Sample");
  EXPECT_FALSE(FindRegisteredOperator("Sample")->library().empty());
}

TEST_F(OperatorTableTest, RefusesDoublesAndNonsense) {
  const AclTwinOperator same_name = {"Sample", nullptr, nullptr, 0,      nullptr,
                                     0,        nullptr, 0,       nullptr};
  const AclTwinOperator same_api = {"Other", nullptr, nullptr, 0, kApis, 1, nullptr, 0, nullptr};
  const AclTwinOperator no_name = {nullptr, nullptr, nullptr, 0, nullptr, 0, nullptr, 0, nullptr};
  EXPECT_EQ(aclTwinRegisterOperator(&same_name), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTwinRegisterOperator(&same_api), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTwinRegisterOperator(&no_name), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTwinRegisterOperator(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTwinUnregisterOperator(&same_name), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclTwinFindOperator("Other"), nullptr);
}

TEST_F(OperatorTableTest, UnregisteringWaitsForUse) {
  const std::shared_ptr<const RegisteredOperator> op = FindRegisteredOperator("Sample");
  std::atomic<bool> gone{false};
  std::thread unregister;
  {
    const RegisteredOperator::Use use(*op);
    ASSERT_EQ(use.record(), &kSample);
    unregister = std::thread([&] {
      aclTwinUnregisterOperator(&kSample);
      gone = true;
    });
    while (aclTwinFindOperator("Sample") != nullptr) std::this_thread::yield();
    EXPECT_FALSE(gone) << "unregistering did not wait";
  }
  unregister.join();
  EXPECT_EQ(RegisteredOperator::Use(*op).record(), nullptr);
  EXPECT_EQ(op->name(), "Sample");
}

}  // namespace
}  // namespace attnres::acl
