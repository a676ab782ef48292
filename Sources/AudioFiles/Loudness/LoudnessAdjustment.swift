// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioLoudness
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// The gain and limit for a target loudness, and the loudness that results.
struct LoudnessAdjustment {
    /// The gain and limit, or `nil` to leave the signal unchanged.
    var setting: TruePeakLimiter.Setting?
    /// The loudness with `setting`.
    var loudness: LoudnessSummary
    /// The target of the signal, or `nil` to measure only.
    private var target: LoudnessTarget?

    /// The distance from the target at which the search ends, in LU.
    private static let tolerance = 0.03
    /// The maximum number of measurements of the limited signal.
    private static let attempts = 8
    /// The maximum gain above the one needed without a limiter, in decibels.
    private static let maximumCompensation = 12.0
    /// The distance between the limiter's threshold and the maximum true peak, in decibels.
    ///
    /// The limiter's gain changes between samples.
    private static let margin = 0.05

    /// Measures a signal and finds gain and limit for a target.
    ///
    /// Without peaks above the limit, one measurement determines the gain. A limiter reduces the loudness, so the limited signal is
    /// measured and the gain corrected until the loudness reaches the target and no true peak exceeds the limit.
    ///
    /// - Parameters:
    ///   - target: The target, or `nil` to measure only.
    ///   - album: The loudness of the album, to which the target applies, or `nil` for the signal itself.
    init(
        _ target: LoudnessTarget?, album: AlbumLoudness? = nil, measure: (TruePeakLimiter.Setting?) throws -> LoudnessSummary
    ) throws {
        loudness = try measure(nil)
        self.target = target
        if let album = album?.integrated, let integrated = loudness.integrated { self.target?.integrated += integrated - album }
        guard let target = self.target, let integrated = loudness.integrated, let truePeak = loudness.truePeak else { return }
        let needed = target.integrated - integrated
        guard truePeak + needed > target.truePeak else {
            let setting = TruePeakLimiter.Setting(gain: needed, limit: nil)
            self.setting = setting
            loudness = try measure(setting)
            return
        }
        try limit(target, gain: needed, largest: needed + Self.maximumCompensation, measure)
    }

    /// Throws ``/PCMFiles/AudioFileError/Code/notSeekable`` for an input that cannot be reopened, such as a pipe.
    static func requireRereadable(_ path: String) throws(AudioFileError) {
        guard !isRereadable(path) else { return }
        throw AudioFileError(.notSeekable, path: PathName.inputName(path))
    }

    static func isRereadable(_ path: String) -> Bool { path != "-" && (try? FileStatus(of: path))?.kind == .regular }

    var note: ConversionNote? {
        guard let integrated = loudness.integrated else { return loudness.isTooShort ? .tooShort : .silence }
        guard let target, abs(target.integrated - integrated) > 0.1 else { return nil }
        return .loudnessNotReached(requested: target.integrated, used: integrated)
    }

    /// Finds gain and limit for a signal with peaks above the limit.
    ///
    /// Keeps the closest ones whose true peak does not exceed the target's.
    private mutating func limit(
        _ target: LoudnessTarget, gain: Double, largest: Double, _ measure: (TruePeakLimiter.Setting?) throws -> LoudnessSummary
    ) throws {
        var setting = TruePeakLimiter.Setting(gain: gain, limit: target.truePeak - Self.margin)
        var last: (gain: Double, loudness: Double)?
        var minimumError = Double.infinity
        for _ in 0..<Self.attempts {
            let found = try measure(setting)
            guard let integrated = found.integrated, let truePeak = found.truePeak else { return }
            let error = target.integrated - integrated
            let excess = truePeak - target.truePeak
            if excess <= 0, abs(error) < minimumError {
                (self.setting, loudness, minimumError) = (setting, found, abs(error))
            }
            if excess <= 0, abs(error) <= Self.tolerance || setting.gain >= largest { return }
            // Use the slope between the last two gains: the larger the gain, the more the limiter reduces it.
            let slope = last.map { ($0.gain - setting.gain) / ($0.loudness - integrated) } ?? 1
            last = (setting.gain, integrated)
            setting.gain = min(largest, setting.gain + error * (slope.isFinite ? min(max(slope, 1), 8) : 1))
            setting.limit = (setting.limit ?? 0) - max(0, excess)
        }
    }
}

extension AudioTags.ReplayGain {
    /// The reference loudness of ReplayGain 2, in LUFS.
    private static let reference = -18.0

    /// Creates the gain for a loudness, or returns `nil` for silence.
    init?(_ loudness: LoudnessSummary) {
        guard let integrated = loudness.integrated else { return nil }
        self.init(loudness: integrated, peak: loudness.truePeaks.max())
    }

    /// Creates the gain for a loudness, in LUFS, and a peak amplitude.
    init(loudness: Double, peak: Double?) { self.init(gain: Self.reference - loudness, peak: peak) }
}
