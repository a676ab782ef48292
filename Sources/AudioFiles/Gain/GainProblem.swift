// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
package import AudioPrimitives
package import TransformCoding

/// The reason why a gain cannot be changed without loss.
package enum GainProblem: Error, Hashable, Sendable {
    /// The container is not supported.
    case container(AudioFileFormat)
    case codec(FourCharCode)
    /// An access unit uses a tool whose output is not proportional to the gain.
    case tool(GainFields.Obstacle, accessUnit: Int)
    case damaged(accessUnit: Int)
    /// The envelopes of an access unit continue those of another resolution.
    case resolutionChange(accessUnit: Int)
    /// A value would be out of range. The possible gains are in decibels.
    case outOfRange(gain: Double, possible: ClosedRange<Double>)
    /// Levels of the high band would be out of range in a number of access units. The possible gains are in decibels.
    case highBandOutOfRange(gain: Double, accessUnits: Int, possible: ClosedRange<Double>)
    /// The true peak, in dBTP, would exceed full scale. `largest` is the largest possible gain, in decibels.
    case clipping(gain: Double, truePeak: Double, largest: Double)
    /// Loudness metadata that cannot be adjusted.
    case loudnessMetadata
    case silence
    /// The audio is shorter than one 400 ms block of ITU-R BS.1770.
    case tooShort
    /// The file has no record of a gain.
    case noRecord
    /// The file was changed after its gain.
    case changedFile
    /// A box of unknown length at the end of the file leaves no place for a record.
    case noPlaceForRecord
}

extension GainProblem: DescribedError {
    package var description: String {
        switch self {
        case .container(let format): isContainerUnsuitable ? "\(format.name) has no place for it" : "its format is \(format.name)"
        case .codec(let codec): "the codec is \(codec.codecName), not AAC"
        case .tool(let obstacle, let unit): "access unit \(unit) \(Self.text(obstacle)); only encoding again changes its level"
        case .damaged(let unit): "access unit \(unit) is damaged"
        case .resolutionChange(let unit): "the high band of access unit \(unit) continues envelopes of another resolution"
        case .outOfRange(let gain, let possible):
            "\(Self.decibels(gain)) puts a level of an access unit out of range; use \(Self.decibels(possible.lowerBound)) to "
                + Self.decibels(possible.upperBound)
        case .highBandOutOfRange(let gain, let count, let possible):
            "\(Self.decibels(gain)) puts high band levels of \(count) access unit\(count == 1 ? "" : "s") out of range; use "
                + "\(Self.decibels(possible.lowerBound)) to \(Self.decibels(possible.upperBound))"
        case .clipping(let gain, let truePeak, let largest):
            "\(Self.decibels(gain)) raises the true peak from \(Self.decibels(truePeak, unit: "dBTP")) above full scale; use at most "
                + Self.decibels(largest)
        case .loudnessMetadata: "its loudness metadata cannot be adjusted; remove it first"
        case .silence: "it is silent, so it has no loudness"
        case .tooShort: "it is shorter than 400 ms, a block of ITU-R BS.1770, so it has no loudness"
        case .noRecord: "it has no record of a gain to undo"
        case .changedFile: "it was changed after its gain, so the original bytes are unknown"
        case .noPlaceForRecord: "its last box has no length"
        }
    }

    /// Whether the container holds AAC but cannot store the gain; a copy in another container can.
    package var isContainerUnsuitable: Bool {
        if case .container(let format) = self { [.transportStream, .dab, .matroska].contains(format) } else { false }
    }

    private static func text(_ obstacle: GainFields.Obstacle) -> String {
        switch obstacle {
        case .linePrediction: "predicts lines from previous ones (AAC Main or LTP)"
        case .linearPrediction: "is coded in the linear prediction domain (LPD)"
        case .predictiveVectors: "uses predictive vector coding (PVC)"
        case .couplingChannels: "has more than two coupling channels"
        case .highBandLoss: "has an unreadable high band"
        case .preRoll: "has an unreadable pre-roll, or one of another configuration"
        }
    }

    private static func decibels(_ value: Double, unit: String = "dB") -> String {
        let text = DecimalText.fixed(abs(value), digits: 2) ?? "0"
        return (value < 0 ? "-" : "+") + text + " " + unit
    }
}
