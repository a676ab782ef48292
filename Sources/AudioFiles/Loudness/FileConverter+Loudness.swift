// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioLoudness
internal import AudioPrimitives
internal import MPEG4Audio
package import PCMFiles
internal import SystemFiles

extension FileConverter {
    /// Measures the output signal if its loudness is to be changed or stored; otherwise returns `nil`.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError/Code/notSeekable`` for a pipe, which cannot be read twice, and
    ///   ``/PCMFiles/AudioFileError/Code/invalidSample`` for infinite loudness, except if only xHE-AAC states it.
    func loudnessAdjustment(_ plan: ConversionPlan) throws -> LoudnessAdjustment? {
        guard configuration.loudnessTarget != nil || configuration.storesLoudness || plan.needsLoudness else { return nil }
        if plan.needsLoudness {
            try plan.checkContainer()
            guard LoudnessAdjustment.isRereadable(input) else {
                throw AudioFileError(.unsupportedConfiguration, path: PathName.inputName(input), underlying: UnknownLoudness())
            }
        }
        try LoudnessAdjustment.requireRereadable(input)
        let isRequested = configuration.loudnessTarget != nil || configuration.storesLoudness
        return try LoudnessAdjustment(configuration.loudnessTarget, album: configuration.album) { setting in
            let loudness = try meter(plan, setting ?? gainSetting).summary()
            if isRequested { try requireFinite(loudness) }
            return loudness
        }
    }

    /// Sets the loudness that xHE-AAC states, if it is not stated by the user.
    func setStatedLoudness(of plan: inout ConversionPlan, _ adjustment: LoudnessAdjustment?) throws {
        guard plan.needsLoudness, let adjustment, case .aac(var encoder)? = plan.encoder else { return }
        encoder.measuredLoudness = LoudnessInfoSet(adjustment.loudness)
        plan.encoder = .aac(encoder)
    }

    var gainSetting: TruePeakLimiter.Setting? { configuration.gain.map { TruePeakLimiter.Setting(gain: $0, limit: nil) } }

    /// Measures the output signal with a gain and limit.
    private func meter(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws -> LoudnessMeter {
        var samples = try EncoderInputReader(open().reader, plan, gain: setting)
        let meter = LoudnessMeter(sampleRate: plan.target.sampleRate, channelCount: plan.target.channelCount, layout: plan.mixedLayout)
        while let buffer = try samples.next() { meter.add(buffer) }
        return meter
    }

    /// Throws ``/PCMFiles/AudioFileError/Code/invalidSample`` for infinite loudness, which no gain changes.
    private func requireFinite(_ loudness: LoudnessSummary) throws(AudioFileError) {
        guard loudness.integrated?.isFinite == false else { return }
        throw AudioFileError(.invalidSample, path: PathName.inputName(input), underlying: InfiniteLoudness())
    }

    /// Measures the output signal before a loudness target applies, for ``AlbumLoudness``.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/notSeekable`` for a pipe, which cannot be read twice, and
    ///   ``/PCMFiles/AudioFileError/Code/invalidSample`` for infinite loudness.
    package func measuredTrack() throws(AudioFileError) -> AlbumLoudness.Track {
        try attempt {
            try LoudnessAdjustment.requireRereadable(input)
            let meter = try meter(ConversionPlan(configuration, try open(), paths: (input, output)), gainSetting)
            let loudness = meter.summary()
            try requireFinite(loudness)
            return AlbumLoudness.Track(series: meter.series, peak: loudness.truePeaks.max() ?? 0)
        }
    }
}

extension ConversionPlan {
    /// Whether the output is xHE-AAC whose loudness the user has not stated.
    var needsLoudness: Bool {
        guard case .aac(let encoder)? = encoder else { return false }
        return encoder.profile == .extendedHighEfficiency && encoder.settings.statedLoudness == nil
    }

    /// Throws if the container does not support the codec, before the input is measured.
    fileprivate func checkContainer() throws {
        guard let configuration = try encoder?.makeEncoder().codecConfiguration, format != .dab else { return }
        _ = try format.makeWriter(to: MemorySink(), configuration)
    }
}

/// The loudness of xHE-AAC is neither stated nor measurable, because the input cannot be read twice.
package struct UnknownLoudness: Error, Hashable, DescribedError {
    package var description: String { "xHE-AAC states its loudness, and a pipe cannot be read twice to measure it" }
}

/// The energy of the samples exceeds the range of single precision.
struct InfiniteLoudness: Error, Hashable, DescribedError {
    var description: String { "its loudness is infinite, because its samples are too large; lower its level first" }
}
