#include "forward_reference.h"

#include <algorithm>
#include <cmath>

namespace {

// Scores into probabilities, in place.
void ApplySoftmax(std::vector<double>* scores) {
  const double largest = *std::max_element(scores->begin(), scores->end());
  double sum = 0.0;
  for (double& score : *scores) {
    score = std::exp(score - largest);
    sum += score;
  }
  for (double& score : *scores) score /= sum;
}

}  // namespace

ForwardResults ComputeForward(const ForwardInputs& inputs) {
  const size_t hidden = inputs.hidden;
  ForwardResults results;
  for (size_t token = 0; token < inputs.tokens; ++token) {
    std::vector<const float*> rows;
    for (size_t block = 0; block < inputs.blocks; ++block) {
      rows.push_back(&inputs.block_res[(token * inputs.blocks + block) * hidden]);
    }
    rows.push_back(&inputs.partial_block[token * hidden]);

    std::vector<double> probs;
    for (const float* row : rows) {
      double squares = 0.0;
      double product = 0.0;
      for (size_t h = 0; h < hidden; ++h) {
        const double value = row[h];
        squares += value * value;
        product += value * inputs.norm_weight[h] * inputs.proj_weight[h];
      }
      const double mean = squares / static_cast<double>(hidden);
      results.inv_norm.push_back(1.0 / std::sqrt(mean + inputs.norm_eps));
      probs.push_back(results.inv_norm.back() * product);
    }
    ApplySoftmax(&probs);
    results.probs.insert(results.probs.end(), probs.begin(), probs.end());

    for (size_t h = 0; h < hidden; ++h) {
      double mixed = 0.0;
      for (size_t i = 0; i < rows.size(); ++i) mixed += probs[i] * rows[i][h];
      results.hidden_states.push_back(mixed);
    }
  }
  return results;
}
