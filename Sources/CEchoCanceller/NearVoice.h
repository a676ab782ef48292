// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#ifndef NEARVOICE_H
#define NEARVOICE_H

#include <algorithm>
#include <cmath>
#include <vector>

/// Gives back what an engine takes from a near voice together with the echo.
///
/// Echo alone it makes weaker by far more than 8 dB; a voice that speaks over the echo it softens by a few. So where little is taken, most
/// of it is handed back, and where much is taken, nothing. Set by simulations of twelve rooms, see Documentation/Capture.md.
class NearVoice {
public:
    /// `delay`: how many frames later a sound comes out of the engine than it went in.
    NearVoice(size_t channels, size_t frames, size_t delay)
        : frames_(frames), delay_(delay), before_(channels, std::vector<float>(delay + frames)) {}

    /// Keeps what goes into the engine.
    void keep(float *const *planes) {
        for (size_t channel = 0; channel < before_.size(); channel++) {
            std::vector<float> &samples = before_[channel];
            std::copy(samples.begin() + frames_, samples.end(), samples.begin());
            std::copy(planes[channel], planes[channel] + frames_, samples.begin() + delay_);
        }
    }

    /// Hands back to what came out of the engine.
    void restore(float *const *planes) {
        double kept = 0, given = 0;
        for (size_t channel = 0; channel < before_.size(); channel++) {
            for (size_t frame = 0; frame < frames_; frame++) {
                kept += planes[channel][frame] * planes[channel][frame];
                given += before_[channel][frame] * before_[channel][frame];
            }
        }
        kept_ = memory * kept_ + kept / frames_;
        given_ = memory * given_ + given / frames_;
        double decibels = 10 * std::log10((kept_ + silence) / (given_ + silence));
        float share = static_cast<float>(largest_share * std::clamp((decibels - echo) / (voice - echo), 0.0, 1.0));
        for (size_t channel = 0; channel < before_.size(); channel++) {
            for (size_t frame = 0; frame < frames_; frame++) {
                float now = share_ + (share - share_) * (frame + 1) / frames_;
                planes[channel][frame] += now * (before_[channel][frame] - planes[channel][frame]);
            }
        }
        share_ = share;
    }

private:
    /// What is left by an engine that finds nothing but echo, and by one that finds a voice, in decibels.
    static constexpr double echo = -8, voice = -4;
    static constexpr double largest_share = 0.75;
    /// How much of the power so far counts a block later.
    static constexpr double memory = 0.7;
    /// Power below which nothing matters: -85 dB.
    static constexpr double silence = 3e-9;

    size_t frames_, delay_;
    std::vector<std::vector<float>> before_;
    double kept_ = 0, given_ = 0;
    float share_ = 0;
};

#endif
