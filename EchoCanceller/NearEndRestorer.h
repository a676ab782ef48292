// SPDX-License-Identifier: Apache-2.0

#ifndef NEARENDRESTORER_H
#define NEARENDRESTORER_H

#include <algorithm>
#include <cmath>
#include <vector>

/// Restores the part of the near-end speech that an echo canceller removes together with the echo.
///
/// A canceller attenuates pure echo by far more than 8 dB, and near-end speech during double talk by a few decibels. Where it attenuates
/// little, most of the removed signal is added back; where it attenuates much, nothing is. The constants were tuned by simulations of
/// twelve rooms (Documentation/Guides/Capture.md).
class NearEndRestorer {
public:
    /// Creates a restorer for blocks of `frames` frames; `delay` is the canceller's delay in frames.
    NearEndRestorer(size_t channels, size_t frames, size_t delay)
        : frames_(frames), delay_(delay), input_(channels, std::vector<float>(delay + frames)) {}

    /// Stores the canceller's input.
    void store(float *const *planes) {
        for (size_t channel = 0; channel < input_.size(); channel++) {
            std::vector<float> &samples = input_[channel];
            std::copy(samples.begin() + frames_, samples.end(), samples.begin());
            std::copy(planes[channel], planes[channel] + frames_, samples.begin() + delay_);
        }
    }

    /// Adds the near-end part of the removed signal to the canceller's output.
    void restore(float *const *planes) {
        double output = 0, input = 0;
        for (size_t channel = 0; channel < input_.size(); channel++) {
            for (size_t frame = 0; frame < frames_; frame++) {
                output += planes[channel][frame] * planes[channel][frame];
                input += input_[channel][frame] * input_[channel][frame];
            }
        }
        output_power_ = memory * output_power_ + output / frames_;
        input_power_ = memory * input_power_ + input / frames_;
        double decibels = 10 * std::log10((output_power_ + silence) / (input_power_ + silence));
        float share = static_cast<float>(largest_share * std::clamp((decibels - echo) / (voice - echo), 0.0, 1.0));
        for (size_t channel = 0; channel < input_.size(); channel++) {
            for (size_t frame = 0; frame < frames_; frame++) {
                float now = share_ + (share - share_) * (frame + 1) / frames_;
                planes[channel][frame] += now * (input_[channel][frame] - planes[channel][frame]);
            }
        }
        share_ = share;
    }

private:
    /// The canceller's gain for pure echo and for near-end speech, in decibels.
    static constexpr double echo = -8, voice = -4;
    /// The maximum restored fraction of the removed signal.
    static constexpr double largest_share = 0.75;
    /// The decay of the smoothed power per block.
    static constexpr double memory = 0.7;
    /// The power of silence: -85 dB.
    static constexpr double silence = 3e-9;

    size_t frames_, delay_;
    std::vector<std::vector<float>> input_;
    double output_power_ = 0, input_power_ = 0;
    float share_ = 0;
};

#endif
