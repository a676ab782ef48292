// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Errors thrown when measuring loudness.
public enum LoudnessError: Error, Hashable, Sendable {
    /// libebur128 is not installed.
    case libraryMissing
    /// The library does not support this sample rate, in hertz, or channel count.
    case unsupportedFormat(sampleRate: Int, channelCount: Int)
    /// The library failed, for lack of memory.
    case measurementFailed
}

extension LoudnessError: DescribedError {
    /// One line with the reason and the way out.
    public var description: String {
        switch self {
        case .libraryMissing: "measuring loudness needs libebur128, which is not installed; on Debian it is in the package libebur128-1"
        case .unsupportedFormat(let sampleRate, let channelCount):
            "the loudness of \(channelCount) channels at \(sampleRate) Hz can't be measured"
        case .measurementFailed: "libebur128 failed for lack of memory"
        }
    }
}
