// SPDX-License-Identifier: Apache-2.0

/// The gains of the three codebook stages (RFC 3951, 3.6.4.2).
enum GainQuantizer {
    /// The number of stages (`CB_NSTAGES`).
    static let stageCount = 3

    /// Returns the gain values of a stage, relative to its scale.
    static func table(ofStage stage: Int) -> [Float] {
        switch stage {
        case 0: QuantizerTables.firstGain
        case 1: QuantizerTables.secondGain
        default: QuantizerTables.thirdGain
        }
    }

    static func scale(ofStage stage: Int, after previous: Float) -> Float {
        stage == 0 ? 1 : max(0.1, abs(previous))
    }

    static func gains(ofSegment segment: Int, in frame: FrameParameters) -> [Float] {
        var previous: Float = 0
        return (0..<stageCount).map { stage in
            previous = scale(ofStage: stage, after: previous) * table(ofStage: stage)[frame[gainIndex: stage, segment: segment]]
            return previous
        }
    }
}
