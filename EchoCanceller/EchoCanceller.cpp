// SPDX-License-Identifier: Apache-2.0

// liblinnet-echo: speexdsp's echo canceller and WebRTC's audio processing behind four C functions, which Linnet loads at run time
// (EchoFunctions.h). Built by Scripts/Package/echo-canceller.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <vector>

#include <speex/speex_echo.h>
#include <webrtc/modules/audio_processing/include/audio_processing.h>

#include "EchoFunctions.h"
#include "NearEndRestorer.h"

#define LINNET_DECLARED(result, name, parameters) __attribute__((visibility("default"))) result name parameters;
extern "C" {
LINNET_ECHO_FUNCTIONS(LINNET_DECLARED)
}

// Debian's libspeexdsp.a is compiled for executables, which have their own copy of this C library variable. So does this library.
FILE *stderr = *static_cast<FILE **>(dlsym(RTLD_DEFAULT, "stderr"));

namespace {

/// The length of speexdsp's filter, in milliseconds. Longer filters converge more slowly.
constexpr int filter_milliseconds = 200;

struct FilterDeleter {
    void operator()(SpeexEchoState *state) const { speex_echo_state_destroy(state); }
};

/// Rounds and clips a sample to a 16-bit integer.
int16_t quantized(float sample) { return static_cast<int16_t>(std::lrint(std::clamp(sample * 32768.0f, -32768.0f, 32767.0f))); }

using Engine = std::unique_ptr<webrtc::AudioProcessing>;

/// Returns a WebRTC engine for blocks of the two formats; null if it does not support them.
Engine make_engine(const webrtc::StreamConfig &captured, const webrtc::StreamConfig &reference) {
    webrtc::Config config;
    // For long reverberation and unknown delays.
    config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
    config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
    Engine engine(webrtc::AudioProcessing::Create(config));
    webrtc::ProcessingConfig formats = {{captured, captured, reference, reference}};
    return engine && engine->Initialize(formats) == 0 ? std::move(engine) : nullptr;
}

/// Returns an echo cancelling engine; null if it does not support the formats.
Engine make_canceller(const webrtc::StreamConfig &captured, const webrtc::StreamConfig &reference) {
    Engine engine = make_engine(captured, reference);
    if (!engine) return nullptr;
    // The lowest level: stronger suppression attenuates near-end speech more than the echo.
    bool is_good = engine->echo_cancellation()->set_suppression_level(webrtc::EchoCancellation::kLowSuppression) == 0;
    return engine->echo_cancellation()->Enable(true) == 0 && is_good ? std::move(engine) : nullptr;
}

/// Returns an engine for noise suppression and gain control; null if it does not support the settings.
Engine make_postprocessor(const webrtc::StreamConfig &captured, int noise_suppression, int gain_control) {
    Engine engine = make_engine(captured, captured);
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

/// Returns the delay of a new engine for one channel in frames, measured with noise and a silent reference; 0 without an engine.
///
/// It depends on the sample rate, and the library does not report it.
size_t measured_delay(Engine engine, const webrtc::StreamConfig &format) {
    if (!engine) return 0;
    // The engine needs some blocks to settle.
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

/// Two cancellers in series: speexdsp's linear filter, which does not affect near-end speech, and WebRTC's canceller for the residual echo,
/// which has little left to attenuate. Most of the near-end speech that it attenuates is restored.
struct LinnetEchoCanceller {
    // These three are null without echo cancellation.
    std::unique_ptr<SpeexEchoState, FilterDeleter> filter;
    Engine canceller;
    std::unique_ptr<NearEndRestorer> near_end;
    // For noise suppression and gain control; null if both are off.
    Engine postprocessor;
    webrtc::StreamConfig captured;
    webrtc::StreamConfig reference;
    // The delay of both engines, in frames.
    size_t delay;
    // Interleaved 16-bit blocks for speexdsp.
    std::vector<int16_t> captured_samples, played_samples, filtered_samples;
};

/// Creates the cancellers; returns false if they do not support the formats.
static bool add_cancellers(LinnetEchoCanceller &result) {
    int sample_rate = result.captured.sample_rate_hz(), frames = static_cast<int>(result.captured.num_frames());
    int channels = static_cast<int>(result.captured.num_channels()), references = static_cast<int>(result.reference.num_channels());
    result.canceller = make_canceller(result.captured, result.reference);
    result.filter.reset(speex_echo_state_init_mc(frames, sample_rate / 1000 * filter_milliseconds, channels, references));
    if (!result.canceller || !result.filter) return false;
    speex_echo_ctl(result.filter.get(), SPEEX_ECHO_SET_SAMPLING_RATE, &sample_rate);
    const webrtc::StreamConfig mono(sample_rate, 1);
    result.delay = measured_delay(make_canceller(mono, mono), mono);
    result.near_end.reset(new NearEndRestorer(channels, frames, result.delay));
    result.captured_samples.resize(frames * channels);
    result.filtered_samples.resize(frames * channels);
    result.played_samples.resize(frames * references);
    return true;
}

LinnetEchoCanceller *linnet_echo_canceller_create(
    int sample_rate, int channels, int reference_channels, int noise_suppression, int gain_control) {
    webrtc::StreamConfig captured(sample_rate, channels), reference(sample_rate, reference_channels);
    std::unique_ptr<LinnetEchoCanceller> result(
        new LinnetEchoCanceller{nullptr, nullptr, nullptr, nullptr, captured, reference, 0, {}, {}, {}});
    if (reference_channels > 0 && !add_cancellers(*result)) return nullptr;
    if (noise_suppression > 0 || gain_control) {
        result->postprocessor = make_postprocessor(captured, noise_suppression, gain_control);
        if (!result->postprocessor) return nullptr;
        const webrtc::StreamConfig mono(sample_rate, 1);
        result->delay += measured_delay(make_postprocessor(mono, noise_suppression, gain_control), mono);
    }
    return result.release();
}

void linnet_echo_canceller_destroy(LinnetEchoCanceller *canceller) { delete canceller; }

int linnet_echo_canceller_delay(const LinnetEchoCanceller *canceller) { return static_cast<int>(canceller->delay); }

/// Interleaves planes as 16-bit samples.
static void interleave(float *const *planes, size_t channels, std::vector<int16_t> &samples) {
    for (size_t index = 0; index < samples.size(); index++) samples[index] = quantized(planes[index % channels][index / channels]);
}

int linnet_echo_canceller_play(LinnetEchoCanceller *canceller, float *const *reference) {
    interleave(reference, canceller->reference.num_channels(), canceller->played_samples);
    return canceller->canceller->ProcessReverseStream(reference, canceller->reference, canceller->reference, reference);
}

/// Removes the echo from 10 ms of the microphone signal; returns 0 or WebRTC's error.
static int cancel(LinnetEchoCanceller *canceller, float *const *captured, int delay_milliseconds) {
    size_t channels = canceller->captured.num_channels();
    std::vector<int16_t> &samples = canceller->captured_samples, &filtered = canceller->filtered_samples;
    interleave(captured, channels, samples);
    speex_echo_cancellation(canceller->filter.get(), samples.data(), canceller->played_samples.data(), filtered.data());
    // Subtracts the signal removed by the filter, in 16-bit samples, from the floating-point samples.
    for (size_t index = 0; index < samples.size(); index++) {
        captured[index % channels][index / channels] -= (samples[index] - filtered[index]) / 32768.0f;
    }
    canceller->near_end->store(captured);
    // A delay out of range is clamped, with a warning instead of an error.
    canceller->canceller->set_stream_delay_ms(delay_milliseconds);
    int status = canceller->canceller->ProcessStream(captured, canceller->captured, canceller->captured, captured);
    if (status == 0) canceller->near_end->restore(captured);
    return status;
}

int linnet_echo_canceller_capture(LinnetEchoCanceller *canceller, float *const *captured, int delay_milliseconds) {
    int status = canceller->canceller ? cancel(canceller, captured, delay_milliseconds) : 0;
    if (status != 0 || !canceller->postprocessor) return status;
    return canceller->postprocessor->ProcessStream(captured, canceller->captured, canceller->captured, captured);
}
