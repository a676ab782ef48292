// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec

/// A difference between what was requested and what was encoded.
public enum EncodingNote: Hashable, Sendable {
    /// The profile needs two channels, and the input has one: another profile was used.
    case profileReplaced(requested: AACProfile, used: AACProfile)
    /// AAC does not support the input's sample rate in hertz: the input was converted to the next higher supported rate, or the highest.
    case sampleRateConverted(from: Int, to: Int)
}

extension EncodingNote: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .profileReplaced(let requested, let used): "\(requested) needs two channels; encoded as \(used)"
        case .sampleRateConverted(let from, let to): "AAC does not support \(from) Hz; converted to \(to) Hz"
        }
    }
}
