// SharedBandwidth: transfers that go on at the same time and share what global memory and the L2
// cache can move. Rates are max-min fair: all transfers get the same bytes per cycle, but none more
// than its core can move, and what those leave goes to the others. Time is in cycles.
#ifndef CC_ASCENDC_TIMELINE_SHARED_BANDWIDTH_H_
#define CC_ASCENDC_TIMELINE_SHARED_BANDWIDTH_H_

#include <cstdint>
#include <vector>

namespace attnres::timeline {

struct Transfer {
  double bytes = 0;
  double most_per_cycle = 0;  // that its core can move
  double gm_share = 0;        // bytes of global memory that move with each of its bytes
  uint32_t id = 0;            // the caller's
};

class SharedBandwidth {
 public:
  SharedBandwidth(double gm_bytes_per_cycle, double l2_bytes_per_cycle)
      : gm_(gm_bytes_per_cycle), l2_(l2_bytes_per_cycle) {}

  // Precondition: `now` is not before any earlier call's, nor after NextEnd().
  void Begin(double now, const Transfer& transfer);
  // When the next transfer ends if none begins before; infinity where none goes on.
  double NextEnd();
  // Removes those that end at `now`, which is NextEnd(), in the order in which they began.
  std::vector<uint32_t> End(double now);

 private:
  struct Flow {
    Transfer transfer;
    double left = 0;
    double rate = 0;
    bool is_settled = false;
  };

  void Advance(double now);
  void Share();
  double FairRate(double gm_left, double l2_left, bool* gm_binds) const;

  const double gm_;
  const double l2_;
  double now_ = 0;
  bool is_shared_ = true;  // the rates are those of the flows there are
  double next_end_ = 0;
  std::vector<Flow> flows_;
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_SHARED_BANDWIDTH_H_
