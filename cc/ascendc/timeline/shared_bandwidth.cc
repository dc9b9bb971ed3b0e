// See shared_bandwidth.h.
#include "cc/ascendc/timeline/shared_bandwidth.h"

#include <algorithm>
#include <limits>

namespace attnres::timeline {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Bytes that rounding may leave of a transfer that has ended.
constexpr double kSlack = 1e-3;

}  // namespace

void SharedBandwidth::Begin(double now, const Transfer& transfer) {
  Advance(now);
  flows_.push_back({transfer, transfer.bytes, 0, false});
  is_shared_ = false;
}

double SharedBandwidth::NextEnd() {
  if (flows_.empty()) return kInfinity;
  if (!is_shared_) Share();
  return next_end_;
}

std::vector<uint32_t> SharedBandwidth::End(double now) {
  Advance(now);
  std::vector<uint32_t> ended;
  size_t kept = 0;
  for (Flow& flow : flows_) {
    if (flow.left <= kSlack) {
      ended.push_back(flow.transfer.id);
    } else {
      flows_[kept++] = flow;
    }
  }
  flows_.resize(kept);
  is_shared_ = false;
  return ended;
}

void SharedBandwidth::Advance(double now) {
  if (now > now_) {
    if (!is_shared_) Share();
    for (Flow& flow : flows_) flow.left -= flow.rate * (now - now_);
    now_ = now;
  }
}

double SharedBandwidth::FairRate(double gm_left, double l2_left, bool* gm_binds) const {
  double gm_shares = 0;
  double l2_shares = 0;
  for (const Flow& flow : flows_) {
    if (flow.is_settled) continue;
    gm_shares += flow.transfer.gm_share;
    l2_shares += 1;
  }
  const double by_gm = gm_shares > 0 ? std::max(0.0, gm_left) / gm_shares : kInfinity;
  const double by_l2 = l2_shares > 0 ? std::max(0.0, l2_left) / l2_shares : kInfinity;
  *gm_binds = by_gm <= by_l2;
  return std::min(by_gm, by_l2);
}

void SharedBandwidth::Share() {
  for (Flow& flow : flows_) flow.is_settled = false;
  double gm_left = gm_;
  double l2_left = l2_;
  size_t open = flows_.size();
  while (open > 0) {
    bool gm_binds = false;
    const double rate = FairRate(gm_left, l2_left, &gm_binds);
    // Those whose core cannot use the fair rate settle first; then those that the scarce memory
    // holds, and what they leave of the other is shared again.
    bool any_limited = false;
    for (const Flow& flow : flows_) {
      any_limited |= !flow.is_settled && flow.transfer.most_per_cycle <= rate;
    }
    for (Flow& flow : flows_) {
      if (flow.is_settled) continue;
      if (any_limited ? flow.transfer.most_per_cycle > rate
                      : gm_binds && flow.transfer.gm_share == 0) {
        continue;
      }
      flow.rate = any_limited ? flow.transfer.most_per_cycle : rate;
      flow.is_settled = true;
      gm_left -= flow.rate * flow.transfer.gm_share;
      l2_left -= flow.rate;
      --open;
    }
  }
  next_end_ = kInfinity;
  for (const Flow& flow : flows_) {
    const double end = flow.left <= kSlack ? now_ : now_ + flow.left / flow.rate;
    next_end_ = std::min(next_end_, end);
  }
  is_shared_ = true;
}

}  // namespace attnres::timeline
