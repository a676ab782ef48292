// SPDX-License-Identifier: Apache-2.0

/// The gains of the three stages of the codebook (RFC 3951 3.6.4.2).
enum GainQuantizer {
    /// The number of stages (`CB_NSTAGES`).
    static let stageCount = 3

    /// Returns the values of a stage, relative to its scale.
    static func table(ofStage stage: Int) -> [Float] {
        switch stage {
        case 0: QuantizerTables.firstGain
        case 1: QuantizerTables.secondGain
        default: QuantizerTables.thirdGain
        }
    }

    /// Returns the scale of a stage.
    ///
    /// - Parameters:
    ///   - stage: The stage, from 0.
    ///   - previous: The quantised gain of the stage before.
    static func scale(ofStage stage: Int, after previous: Float) -> Float {
        stage == 0 ? 1 : max(0.1, abs(previous))
    }

    /// Returns the gains that a frame gives to a segment.
    static func gains(ofSegment segment: Int, in frame: FrameParameters) -> [Float] {
        var previous: Float = 0
        return (0..<stageCount).map { stage in
            previous = scale(ofStage: stage, after: previous) * table(ofStage: stage)[frame[gainIndex: stage, segment: segment]]
            return previous
        }
    }
}
