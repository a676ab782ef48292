// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#include "CEchoCanceller.h"

#if defined(__linux__)

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <speex/speex_echo.h>
#include <webrtc/modules/audio_processing/include/audio_processing.h>

namespace {

/// How long an echo speexdsp's filter reaches, in milliseconds; longer ones converge more slowly.
constexpr int filter_milliseconds = 200;

struct FilterDeleter {
    void operator()(SpeexEchoState *state) const { speex_echo_state_destroy(state); }
};

int16_t quantized(float sample) { return static_cast<int16_t>(std::lrint(std::clamp(sample * 32768.0f, -32768.0f, 32767.0f))); }

}  // namespace

/// Two engines in a row: speexdsp's linear filter, which leaves a near voice alone, and then WebRTC's, which takes out what is left from
/// the first second on, and has little left to soften.
struct LinnetEchoCanceller {
    std::unique_ptr<SpeexEchoState, FilterDeleter> filter;
    std::unique_ptr<webrtc::AudioProcessing> processing;
    webrtc::StreamConfig heard;
    webrtc::StreamConfig reference;
    // Interleaved 16-bit blocks for speexdsp.
    std::vector<int16_t> heard_samples, played_samples, filtered_samples;
};

static bool configure(webrtc::AudioProcessing *processing, int noise_suppression, int gain_control) {
    // The lowest: a stronger one costs the near voice more than the echo.
    bool is_good = processing->echo_cancellation()->set_suppression_level(webrtc::EchoCancellation::kLowSuppression) == 0;
    is_good = processing->echo_cancellation()->Enable(true) == 0 && is_good;
    if (noise_suppression > 0) {
        auto level = static_cast<webrtc::NoiseSuppression::Level>(noise_suppression - 1);
        is_good = processing->noise_suppression()->set_level(level) == 0 && is_good;
        is_good = processing->noise_suppression()->Enable(true) == 0 && is_good;
    }
    if (gain_control) {
        is_good = processing->gain_control()->set_mode(webrtc::GainControl::kAdaptiveDigital) == 0 && is_good;
        is_good = processing->gain_control()->Enable(true) == 0 && is_good;
    }
    return is_good;
}

LinnetEchoCanceller *linnet_echo_canceller_create(
    int sample_rate, int channels, int reference_channels, int noise_suppression, int gain_control) {
    webrtc::Config config;
    // Long rooms, and delays that nobody knows.
    config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
    config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
    std::unique_ptr<LinnetEchoCanceller> result(new LinnetEchoCanceller{
        nullptr, std::unique_ptr<webrtc::AudioProcessing>(webrtc::AudioProcessing::Create(config)),
        webrtc::StreamConfig(sample_rate, channels), webrtc::StreamConfig(sample_rate, reference_channels), {}, {}, {}});
    int frames = static_cast<int>(result->heard.num_frames());
    result->filter.reset(
        speex_echo_state_init_mc(frames, sample_rate / 1000 * filter_milliseconds, channels, reference_channels));
    if (!result->processing || !result->filter) return nullptr;
    speex_echo_ctl(result->filter.get(), SPEEX_ECHO_SET_SAMPLING_RATE, &sample_rate);
    result->heard_samples.resize(frames * channels);
    result->filtered_samples.resize(frames * channels);
    result->played_samples.resize(frames * reference_channels);
    webrtc::ProcessingConfig formats = {{result->heard, result->heard, result->reference, result->reference}};
    if (result->processing->Initialize(formats) != 0) return nullptr;
    return configure(result->processing.get(), noise_suppression, gain_control) ? result.release() : nullptr;
}

void linnet_echo_canceller_destroy(LinnetEchoCanceller *canceller) { delete canceller; }

static void interleave(float *const *planes, size_t channels, std::vector<int16_t> &samples) {
    for (size_t index = 0; index < samples.size(); index++) samples[index] = quantized(planes[index % channels][index / channels]);
}

int linnet_echo_canceller_play(LinnetEchoCanceller *canceller, float *const *reference) {
    interleave(reference, canceller->reference.num_channels(), canceller->played_samples);
    return canceller->processing->ProcessReverseStream(reference, canceller->reference, canceller->reference, reference);
}

int linnet_echo_canceller_hear(LinnetEchoCanceller *canceller, float *const *heard, int delay_milliseconds) {
    size_t channels = canceller->heard.num_channels();
    std::vector<int16_t> &samples = canceller->heard_samples, &filtered = canceller->filtered_samples;
    interleave(heard, channels, samples);
    speex_echo_cancellation(canceller->filter.get(), samples.data(), canceller->played_samples.data(), filtered.data());
    // What the filter took out is taken out of the finer samples.
    for (size_t index = 0; index < samples.size(); index++) {
        heard[index % channels][index / channels] -= (samples[index] - filtered[index]) / 32768.0f;
    }
    // A delay out of range is cut to it, which is a warning, no failure.
    canceller->processing->set_stream_delay_ms(delay_milliseconds);
    return canceller->processing->ProcessStream(heard, canceller->heard, canceller->heard, heard);
}

#endif
