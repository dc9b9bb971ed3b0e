// See simulation.h.
#include "cc/ascendc/timeline/simulation.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace attnres::timeline {

Simulation::Simulation(const CostProfile& profile, const std::vector<const CoreTrace*>& traces,
                       const GmMap& map)
    : profile_(profile),
      map_(map),
      bandwidth_(profile.gm_bytes_per_cycle(), profile.l2_bytes_per_cycle()),
      l2_(profile.l2_bytes, profile.l2_line_bytes) {
  cores_.reserve(traces.size());
  // Cores that work alike would stay in step if they began together, and leave the memory idle when
  // none of them copies; on a device they begin one after the other.
  const double spread = profile.task_overhead_us * profile.clock_mhz;
  for (const CoreTrace* trace : traces) {
    const double share = static_cast<double>(cores_.size()) / static_cast<double>(traces.size());
    cores_.emplace_back(profile, *trace, spread * share);
    alone_.emplace_back(trace->copies.size(), 0.0f);
  }
}

bool Simulation::Run(std::string* message) {
  for (uint32_t core = 0; core < cores_.size(); ++core) Advance(core);
  for (;;) {
    if (joins_some_ && PassSyncAlls()) continue;
    const double next_end = bandwidth_.NextEnd();
    if (!starts_.empty() && starts_.front().time <= next_end) {
      std::pop_heap(starts_.begin(), starts_.end(), std::greater<Start>());
      const Start start = starts_.back();
      starts_.pop_back();
      Begin(start);
    } else if (next_end < std::numeric_limits<double>::infinity()) {
      EndCopies(next_end);
    } else if (!PassSyncAlls()) {
      break;
    }
  }
  for (const CoreReplay& core : cores_) {
    if (!core.HasEnded()) {
      *message = DescribeDeadlock();
      return false;
    }
  }
  return true;
}

void Simulation::Advance(uint32_t core) {
  new_starts_.clear();
  cores_[core].Advance(&new_starts_);
  uint32_t count = 0;
  double arrival = 0;
  joins_some_ |= cores_[core].AtSyncAll(&count, &arrival) && count != 0;
  for (const CopyStart& start : new_starts_) {
    starts_.push_back({start.time, core, start.step});
    std::push_heap(starts_.begin(), starts_.end(), std::greater<Start>());
  }
}

void Simulation::Begin(const Start& start) {
  const CoreTrace& trace = cores_[start.core].trace();
  const uint32_t index = trace.steps[start.step].index;
  Transfer transfer = Measure(trace, trace.copies[index]);
  const double alone = transfer.bytes > 0 ? transfer.bytes / transfer.most_per_cycle : 0;
  alone_[start.core][index] = static_cast<float>(profile_.copy_issue_cycles + alone);
  if (transfer.bytes == 0) {
    cores_[start.core].EndCopy(start.step, start.time);
    Advance(start.core);
    return;
  }
  if (free_ids_.empty()) {
    free_ids_.push_back(static_cast<uint32_t>(transfers_.size()));
    transfers_.emplace_back();
  }
  transfer.id = free_ids_.back();
  free_ids_.pop_back();
  transfers_[transfer.id] = {start.core, start.step};
  bandwidth_.Begin(start.time, transfer);
}

// What a copy asks of the memories. A block that begins inside a line of global memory touches one
// line more than its length needs, and costs as much.
Transfer Simulation::Measure(const CoreTrace& trace, const Copy& copy) {
  Transfer transfer;
  Demand demand;
  for (uint32_t group = 0; group < copy.block_groups; ++group) {
    const CopyBlocks& blocks = trace.blocks[copy.first_blocks + group];
    for (uint32_t block = 0; block < blocks.count; ++block) {
      AddBlock(blocks.address + static_cast<uint64_t>(blocks.stride * block), blocks.bytes, copy,
               &demand);
    }
  }
  transfer.bytes = demand.bytes;
  if (demand.bytes == 0) return transfer;
  transfer.gm_share = (demand.moved + demand.written_back) / demand.bytes;
  transfer.most_per_cycle = demand.bytes / demand.cycles;
  traffic_.written += demand.written_back;
  (copy.is_write ? traffic_.written : traffic_.read) += demand.moved;
  if (!copy.is_write) traffic_.hit += demand.bytes - demand.moved;
  return transfer;
}

void Simulation::AddBlock(uint64_t host_address, uint64_t bytes, const Copy& copy, Demand* demand) {
  const auto [address, skips_l2] = map_.Find(host_address);
  const uint64_t line = profile_.gm_line_bytes;
  const uint64_t touched = (address + bytes - 1) / line - address / line + 1;
  const double block = static_cast<double>(bytes + (touched - (bytes + line - 1) / line) * line);
  double missed = 1;
  if (copy.bypasses_l2 || skips_l2) {
    demand->moved += block;
  } else {
    const L2Cache::Traffic traffic =
        copy.is_write ? l2_.Write(address, bytes) : l2_.Read(address, bytes);
    missed = std::min(1.0, static_cast<double>(traffic.missed) / static_cast<double>(bytes));
    demand->moved += missed * block;  // none of what is written
    demand->written_back += static_cast<double>(traffic.written_back);
  }
  const double per_byte = copy.is_write ? 1 / profile_.write_bytes_per_cycle
                                        : missed / profile_.gm_read_bytes_per_cycle +
                                              (1 - missed) / profile_.l2_read_bytes_per_cycle;
  demand->bytes += block;
  demand->cycles += std::max(profile_.copy_block_cycles, block * per_byte);
}

void Simulation::EndCopies(double time) {
  for (const uint32_t id : bandwidth_.End(time)) {
    const auto [core, step] = transfers_[id];
    free_ids_.push_back(id);
    cores_[core].EndCopy(step, time);
    Advance(core);
  }
}

bool Simulation::PassSyncAlls() {
  // Groups by how many cores join; the first to arrive are together.
  std::map<uint32_t, std::vector<std::pair<double, uint32_t>>> waiting;
  for (uint32_t core = 0; core < cores_.size(); ++core) {
    uint32_t count = 0;
    double arrival = 0;
    if (cores_[core].AtSyncAll(&count, &arrival)) waiting[count].emplace_back(arrival, core);
  }
  bool any = false;
  for (auto& [count, arrivals] : waiting) {
    const size_t needed = count == 0 ? cores_.size() : count;
    if (arrivals.size() < needed) continue;
    std::sort(arrivals.begin(), arrivals.end());
    std::vector<uint32_t> joined;
    for (size_t i = 0; i < needed; ++i) joined.push_back(arrivals[i].second);
    Pass(std::move(joined));
    any = true;
  }
  return any;
}

void Simulation::Pass(std::vector<uint32_t> cores) {
  uint32_t count = 0;
  double last = 0;
  cores_[cores.back()].AtSyncAll(&count, &last);
  const CoreStep last_step = {cores.back(), cores_[cores.back()].next_scalar_step()};
  std::sort(cores.begin(), cores.end());
  for (const uint32_t core : cores) {
    last_to_sync_all_[{core, cores_[core].next_scalar_step()}] = last_step;
    cores_[core].PassSyncAll(last + profile_.sync_all_cycles);
    Advance(core);
  }
}

double Simulation::CopyAlone(uint32_t core, uint32_t step) const {
  return alone_[core][cores_[core].trace().steps[step].index];
}

Simulation::CoreStep Simulation::LastToSyncAll(CoreStep passed) const {
  const auto entry = last_to_sync_all_.find(passed);
  return entry == last_to_sync_all_.end() ? passed : entry->second;
}

std::string Simulation::DescribeDeadlock() const {
  constexpr int kMostCores = 4;
  std::string text = "the kernel waits for something that never happens:";
  int told = 0;
  for (uint32_t core = 0; core < cores_.size(); ++core) {
    if (cores_[core].HasEnded()) continue;
    if (told++ == kMostCores) return text + "\n  and so on";
    text += "\n  core " + std::to_string(core) + ": " + cores_[core].Describe();
  }
  return text;
}

}  // namespace attnres::timeline
