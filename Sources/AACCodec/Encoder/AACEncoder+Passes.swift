// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Several passes over the same input, at different noise scales.
extension AACEncoder {
    /// The use of an ``SBRRecording`` in the current pass.
    enum PassKind {
        case separate
        /// The first of several passes.
        case recorded
        /// A pass after a recorded one, without SBR and PS analysis.
        case repeated
    }

    /// Keeps the core's input and the SBR and PS data of a stream of at most one segment, for further passes over the same input.
    ///
    /// Call it before the first pass. Other profiles than HE-AAC and HE-AAC v2 keep nothing. A frame takes 4 KiB per core channel.
    package func keepPasses() {
        keepsPasses = setup.profile == .highEfficiency || setup.profile == .highEfficiencyV2
    }

    /// Chooses the kind of a pass that starts at an access unit.
    ///
    /// - Parameter isComplete: Whether the previous pass encoded its whole input.
    func startPass(atUnit accessUnitIndex: Int, isComplete: Bool) {
        guard keepsPasses && accessUnitIndex == 0 else { return pass = .separate }
        if pass == .separate || !isComplete {
            pass = .recorded
            for element in elements { element.recording = SBRRecording() }
        } else {
            pass = .repeated
        }
    }

    /// Updates the kind of the pass before a frame: an input longer than a segment, or than in the recorded pass, is not repeated.
    func updatePass(frame: Int) {
        switch pass {
        case .separate: return
        case .recorded where frame < segments.length: return
        case .repeated where elements.allSatisfy({ frame < $0.recording?.frameCount ?? 0 }): return
        default:
            keepsPasses = false
            pass = .separate
            for element in elements { element.recording = nil }
        }
    }
}
