// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioLoudness
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// The gain and the limit that give a signal a loudness, and the loudness that it has with them.
struct LoudnessAdjustment {
    /// The gain and the limit; nil if the signal stays as it is.
    var setting: TruePeakLimiter.Setting?
    /// The loudness of the signal with them.
    var loudness: LoudnessSummary

    /// The distance from the target in LU at which the search ends.
    private static let tolerance = 0.03
    /// The number of times that the limited signal is measured.
    private static let attempts = 8
    /// The largest gain in decibels beyond the one that the target needs without a limiter.
    private static let largestCompensation = 12.0
    /// The distance in decibels that the limiter keeps from the largest true peak, since its gain changes between the samples.
    private static let margin = 0.05

    /// Measures a signal, and finds the gain and the limit for a target.
    ///
    /// Without peaks above the limit the gain follows from one measurement. A limiter takes loudness away, so that the limited signal is
    /// measured, and the gain is corrected, until the loudness is that of the target and no true peak is too large.
    ///
    /// - Parameters:
    ///   - target: The target; nil to measure only.
    ///   - measure: Measures the signal with a gain and a limit.
    init(
        _ target: LoudnessTarget?, measure: (TruePeakLimiter.Setting?) throws -> LoudnessSummary
    ) throws {
        loudness = try measure(nil)
        guard let target, let integrated = loudness.integrated, let truePeak = loudness.truePeak else { return }
        let needed = target.integrated - integrated
        guard truePeak + needed > target.truePeak else {
            let setting = TruePeakLimiter.Setting(gain: needed, limit: nil)
            self.setting = setting
            loudness = try measure(setting)
            return
        }
        try limit(target, gain: needed, largest: needed + Self.largestCompensation, measure)
    }

    /// Throws ``/PCMFiles/AudioFileError/Code/notSeekable`` for an input that can't be opened again, such as a pipe.
    static func requireRereadable(_ path: String) throws(AudioFileError) {
        guard path == "-" || (try? FileStatus(of: path))?.kind != .regular else { return }
        throw AudioFileError(.notSeekable, path: PathName.inputName(path))
    }

    /// Returns the difference between the requested and the actual loudness; nil if there is none.
    func note(for target: LoudnessTarget?) -> ConversionNote? {
        guard let integrated = loudness.integrated else { return .silence }
        guard let target, abs(target.integrated - integrated) > 0.1 else { return nil }
        return .loudnessNotReached(requested: target.integrated, used: integrated)
    }

    /// Finds the gain and the limit where there are peaks above it; keeps the closest ones without a true peak that is too large.
    private mutating func limit(
        _ target: LoudnessTarget, gain: Double, largest: Double, _ measure: (TruePeakLimiter.Setting?) throws -> LoudnessSummary
    ) throws {
        var setting = TruePeakLimiter.Setting(gain: gain, limit: target.truePeak - Self.margin)
        var last: (gain: Double, loudness: Double)?
        var smallestError = Double.infinity
        for _ in 0..<Self.attempts {
            let found = try measure(setting)
            guard let integrated = found.integrated, let truePeak = found.truePeak else { return }
            let error = target.integrated - integrated
            let excess = truePeak - target.truePeak
            if excess <= 0, abs(error) < smallestError {
                (self.setting, loudness, smallestError) = (setting, found, abs(error))
            }
            if excess <= 0, abs(error) <= Self.tolerance || setting.gain >= largest { return }
            // By the slope between the last two gains: the limiter takes more away the larger the gain is.
            let slope = last.map { ($0.gain - setting.gain) / ($0.loudness - integrated) } ?? 1
            last = (setting.gain, integrated)
            setting.gain = min(largest, setting.gain + error * (slope.isFinite ? min(max(slope, 1), 8) : 1))
            setting.limit = (setting.limit ?? 0) - max(0, excess)
        }
    }
}

extension AudioTags.ReplayGain {
    /// The loudness that ReplayGain 2 refers to, in LUFS.
    private static let reference = -18.0

    /// Creates the gain for a loudness; nil for silence.
    init?(_ loudness: LoudnessSummary) {
        guard let integrated = loudness.integrated else { return nil }
        self.init(gain: Self.reference - integrated, peak: loudness.truePeaks.max())
    }
}
