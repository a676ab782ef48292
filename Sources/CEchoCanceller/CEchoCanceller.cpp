// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#include "CEchoCanceller.h"

#if defined(__linux__)

#include <memory>

#include <webrtc/modules/audio_processing/include/audio_processing.h>

struct LinnetEchoCanceller {
    std::unique_ptr<webrtc::AudioProcessing> processing;
    webrtc::StreamConfig heard;
    webrtc::StreamConfig reference;
};

LinnetEchoCanceller *linnet_echo_canceller_create(
    int sample_rate, int channels, int reference_channels, int noise_suppression, int gain_control) {
    webrtc::Config config;
    // Long rooms, and delays that nobody knows.
    config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
    config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
    std::unique_ptr<LinnetEchoCanceller> result(new LinnetEchoCanceller{
        std::unique_ptr<webrtc::AudioProcessing>(webrtc::AudioProcessing::Create(config)),
        webrtc::StreamConfig(sample_rate, channels), webrtc::StreamConfig(sample_rate, reference_channels)});
    webrtc::AudioProcessing *processing = result->processing.get();
    if (!processing) return nullptr;
    webrtc::ProcessingConfig formats = {{result->heard, result->heard, result->reference, result->reference}};
    bool is_good = processing->Initialize(formats) == 0;
    is_good = processing->high_pass_filter()->Enable(true) == 0 && is_good;
    is_good = processing->echo_cancellation()->Enable(true) == 0 && is_good;
    is_good = processing->echo_cancellation()->set_suppression_level(webrtc::EchoCancellation::kModerateSuppression) == 0 && is_good;
    if (noise_suppression > 0) {
        auto level = static_cast<webrtc::NoiseSuppression::Level>(noise_suppression - 1);
        is_good = processing->noise_suppression()->set_level(level) == 0 && is_good;
        is_good = processing->noise_suppression()->Enable(true) == 0 && is_good;
    }
    if (gain_control) {
        is_good = processing->gain_control()->set_mode(webrtc::GainControl::kAdaptiveDigital) == 0 && is_good;
        is_good = processing->gain_control()->Enable(true) == 0 && is_good;
    }
    return is_good ? result.release() : nullptr;
}

void linnet_echo_canceller_destroy(LinnetEchoCanceller *canceller) { delete canceller; }

int linnet_echo_canceller_play(LinnetEchoCanceller *canceller, float *const *reference) {
    return canceller->processing->ProcessReverseStream(reference, canceller->reference, canceller->reference, reference);
}

int linnet_echo_canceller_hear(LinnetEchoCanceller *canceller, float *const *heard, int delay_milliseconds) {
    // A delay out of range is cut to it, which is a warning, no failure.
    canceller->processing->set_stream_delay_ms(delay_milliseconds);
    return canceller->processing->ProcessStream(heard, canceller->heard, canceller->heard, heard);
}

#endif
