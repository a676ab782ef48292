// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformEncoding

/// An element and the tools that surround it, as a reference so that they are changed in place.
package final class ElementCoder {
    /// The element of the AAC-LC core.
    package var core: ElementEncoder

    /// Spectral band replication of the element.
    private(set) var sbr: SBRElementEncoder?

    /// Parametric stereo of the element.
    private(set) var stereo: ParametricStereoEncoder?

    /// The coding of the element on trial.
    let trial: ElementTrial?

    /// Makes the coder of an element.
    init(kind: ChannelElement, instanceTag: Int, _ setup: EncoderSetup) {
        trial = setup.codesOnTrial ? ElementTrial(setup) : nil
        core = ElementEncoder(
            kind: kind, instanceTag: instanceTag, frameLength: setup.frameLength, blockLength: setup.blockLength,
            lowDelay: setup.hasNoLookAhead, hasLongWindow: setup.profile == .enhancedLowDelay)
        makeTools(setup)
    }

    /// Makes the tools that surround the core.
    private func makeTools(_ setup: EncoderSetup) {
        sbr = setup.sbr.map { SBRElementEncoder(kind: core.kind, tuning: $0) }
        if let settings = setup.parametricStereo, let sbr = setup.sbr {
            stereo = ParametricStereoEncoder(settings, sbr.layout)
        }
    }

    /// Returns to the start of the stream, the core in the memory that it has.
    func startStream(_ setup: EncoderSetup) {
        core.startStream()
        trial?.reset()
        makeTools(setup)
    }

    /// Discards all history but the samples, which the blocks of a lead-in replace.
    func restart(keepsLoudness: Bool) {
        core.restart(keepsLoudness: keepsLoudness)
        trial?.reset()
        sbr?.resetHistory()
        stereo?.restart()
    }
}
