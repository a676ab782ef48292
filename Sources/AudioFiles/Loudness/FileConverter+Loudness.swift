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
    /// - Throws: ``/PCMFiles/AudioFileError/Code/notSeekable`` for a pipe, which cannot be read twice.
    func loudnessAdjustment(_ plan: ConversionPlan) throws -> LoudnessAdjustment? {
        guard configuration.loudnessTarget != nil || configuration.storesLoudness || plan.needsLoudness else { return nil }
        if plan.needsLoudness {
            try plan.checkContainer()
            guard LoudnessAdjustment.isRereadable(input) else {
                throw AudioFileError(.unsupportedConfiguration, path: PathName.inputName(input), underlying: UnknownLoudness())
            }
        }
        try LoudnessAdjustment.requireRereadable(input)
        return try LoudnessAdjustment(configuration.loudnessTarget, album: configuration.album) { setting in
            try meter(plan, setting ?? gainSetting).summary()
        }
    }

    /// Sets the loudness that xHE-AAC states, if it is not stated by the user.
    func setStatedLoudness(of plan: inout ConversionPlan, _ adjustment: LoudnessAdjustment?) throws {
        guard plan.needsLoudness, let adjustment, case .aac(var encoder)? = plan.encoder else { return }
        encoder.measuredLoudness = LoudnessInfoSet(adjustment.loudness)
        plan.encoder = .aac(encoder)
    }

    /// The requested gain, without a limit.
    var gainSetting: TruePeakLimiter.Setting? { configuration.gain.map { TruePeakLimiter.Setting(gain: $0, limit: nil) } }

    /// Measures the output signal with a gain and limit.
    private func meter(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws -> LoudnessMeter {
        var samples = try EncoderInputReader(open().reader, plan, gain: setting)
        let meter = LoudnessMeter(sampleRate: plan.target.sampleRate, channelCount: plan.target.channelCount, layout: plan.mixedLayout)
        while let buffer = try samples.next() { meter.add(buffer) }
        return meter
    }

    /// Measures the output signal before a loudness target applies, for ``AlbumLoudness``.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/notSeekable`` for a pipe, which cannot be read twice.
    package func measuredTrack() throws(AudioFileError) -> AlbumLoudness.Track {
        try attempt {
            try LoudnessAdjustment.requireRereadable(input)
            let meter = try meter(ConversionPlan(configuration, try open(), paths: (input, output)), gainSetting)
            return AlbumLoudness.Track(series: meter.series, peak: meter.summary().truePeaks.max() ?? 0)
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
struct UnknownLoudness: Error, Hashable, DescribedError {
    var description: String {
        "xHE-AAC states its loudness, and a pipe cannot be read twice to measure it; use --stated-loudness, such as -16LUFS"
    }
}
