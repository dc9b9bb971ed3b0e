// Sample: four cases that test_protocol_test shards.
#include "gtest/gtest.h"

TEST(FourCases, One) {}
TEST(FourCases, Two) {}
TEST(FourCases, Three) {}
TEST(FourCases, Four) {}
