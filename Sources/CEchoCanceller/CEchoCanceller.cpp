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

#include "NearVoice.h"

namespace {

/// How long an echo speexdsp's filter reaches, in milliseconds; longer ones converge more slowly.
constexpr int filter_milliseconds = 200;

struct FilterDeleter {
    void operator()(SpeexEchoState *state) const { speex_echo_state_destroy(state); }
};

int16_t quantized(float sample) { return static_cast<int16_t>(std::lrint(std::clamp(sample * 32768.0f, -32768.0f, 32767.0f))); }

using Engine = std::unique_ptr<webrtc::AudioProcessing>;

/// WebRTC's engine for blocks of the two formats; null if it refuses them.
Engine make_engine(const webrtc::StreamConfig &heard, const webrtc::StreamConfig &reference) {
    webrtc::Config config;
    // Long rooms, and delays that nobody knows.
    config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
    config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
    Engine engine(webrtc::AudioProcessing::Create(config));
    webrtc::ProcessingConfig formats = {{heard, heard, reference, reference}};
    return engine && engine->Initialize(formats) == 0 ? std::move(engine) : nullptr;
}

Engine make_canceller(const webrtc::StreamConfig &heard, const webrtc::StreamConfig &reference) {
    Engine engine = make_engine(heard, reference);
    if (!engine) return nullptr;
    // The lowest: a stronger one costs the near voice more than the echo.
    bool is_good = engine->echo_cancellation()->set_suppression_level(webrtc::EchoCancellation::kLowSuppression) == 0;
    return engine->echo_cancellation()->Enable(true) == 0 && is_good ? std::move(engine) : nullptr;
}

Engine make_polish(const webrtc::StreamConfig &heard, int noise_suppression, int gain_control) {
    Engine engine = make_engine(heard, heard);
    if (!engine) return nullptr;
    bool is_good = true;
    if (noise_suppression > 0) {
        auto level = static_cast<webrtc::NoiseSuppression::Level>(noise_suppression - 1);
        is_good = engine->noise_suppression()->set_level(level) == 0 && is_good;
        is_good = engine->noise_suppression()->Enable(true) == 0 && is_good;
    }
    if (gain_control) {
        is_good = engine->gain_control()->set_mode(webrtc::GainControl::kAdaptiveDigital) == 0 && is_good;
        is_good = engine->gain_control()->Enable(true) == 0 && is_good;
    }
    return is_good ? std::move(engine) : nullptr;
}

/// How many frames later a sound comes out of the canceller than it went in: noise is sent through one that hears no echo.
///
/// It depends on the rate, and nothing tells it.
size_t delay_of_canceller(const webrtc::StreamConfig &heard) {
    const webrtc::StreamConfig format(heard.sample_rate_hz(), 1);
    Engine engine = make_canceller(format, format);
    if (!engine) return 0;
    // The engine needs some blocks to begin.
    const size_t frames = format.num_frames(), first = 20 * frames, count = 8 * frames, longest = 3 * frames;
    std::vector<float> input(first + count), output(input.size()), silence(frames);
    uint32_t state = 1;
    for (float &sample : input) {
        state = state * 1664525 + 1013904223;
        sample = (static_cast<float>(state >> 8) / (1 << 24) - 0.5f) * 0.1f;
    }
    for (size_t start = 0; start < input.size(); start += frames) {
        float *reference = silence.data(), *block = output.data() + start;
        std::copy_n(input.begin() + start, frames, block);
        engine->ProcessReverseStream(&reference, format, format, &reference);
        engine->set_stream_delay_ms(0);
        engine->ProcessStream(&block, format, format, &block);
    }
    size_t best = 0;
    float most = 0;
    for (size_t delay = 0; delay < longest; delay++) {
        float sum = 0;
        for (size_t frame = first; frame < first + count; frame++) sum += output[frame] * input[frame - delay];
        if (sum > most) {
            most = sum;
            best = delay;
        }
    }
    return best;
}

}  // namespace

/// Two engines in a row: speexdsp's linear filter, which leaves a near voice alone, and then WebRTC's, which takes out what is left from
/// the first second on, and has little left to soften; of what it softens, most is given back.
struct LinnetEchoCanceller {
    std::unique_ptr<SpeexEchoState, FilterDeleter> filter;
    Engine canceller;
    std::unique_ptr<NearVoice> near_voice;
    // For noise and gain; null where neither is wanted.
    Engine polish;
    webrtc::StreamConfig heard;
    webrtc::StreamConfig reference;
    // Interleaved 16-bit blocks for speexdsp.
    std::vector<int16_t> heard_samples, played_samples, filtered_samples;
};

LinnetEchoCanceller *linnet_echo_canceller_create(
    int sample_rate, int channels, int reference_channels, int noise_suppression, int gain_control) {
    webrtc::StreamConfig heard(sample_rate, channels), reference(sample_rate, reference_channels);
    int frames = static_cast<int>(heard.num_frames());
    std::unique_ptr<LinnetEchoCanceller> result(
        new LinnetEchoCanceller{nullptr, make_canceller(heard, reference), nullptr, nullptr, heard, reference, {}, {}, {}});
    result->filter.reset(
        speex_echo_state_init_mc(frames, sample_rate / 1000 * filter_milliseconds, channels, reference_channels));
    if (!result->canceller || !result->filter) return nullptr;
    speex_echo_ctl(result->filter.get(), SPEEX_ECHO_SET_SAMPLING_RATE, &sample_rate);
    result->near_voice.reset(new NearVoice(channels, frames, delay_of_canceller(heard)));
    result->heard_samples.resize(frames * channels);
    result->filtered_samples.resize(frames * channels);
    result->played_samples.resize(frames * reference_channels);
    if (noise_suppression > 0 || gain_control) {
        result->polish = make_polish(heard, noise_suppression, gain_control);
        if (!result->polish) return nullptr;
    }
    return result.release();
}

void linnet_echo_canceller_destroy(LinnetEchoCanceller *canceller) { delete canceller; }

static void interleave(float *const *planes, size_t channels, std::vector<int16_t> &samples) {
    for (size_t index = 0; index < samples.size(); index++) samples[index] = quantized(planes[index % channels][index / channels]);
}

int linnet_echo_canceller_play(LinnetEchoCanceller *canceller, float *const *reference) {
    interleave(reference, canceller->reference.num_channels(), canceller->played_samples);
    return canceller->canceller->ProcessReverseStream(reference, canceller->reference, canceller->reference, reference);
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
    canceller->near_voice->keep(heard);
    // A delay out of range is cut to it, which is a warning, no failure.
    canceller->canceller->set_stream_delay_ms(delay_milliseconds);
    int status = canceller->canceller->ProcessStream(heard, canceller->heard, canceller->heard, heard);
    if (status != 0) return status;
    canceller->near_voice->restore(heard);
    return canceller->polish ? canceller->polish->ProcessStream(heard, canceller->heard, canceller->heard, heard) : 0;
}

#endif
