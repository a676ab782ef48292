// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

/// An element and the tools that surround it, as a reference so that they are changed in place.
final class ElementCoder {
    /// The element of the AAC-LC core.
    var core = ElementEncoder()

    /// Spectral band replication of the element.
    let sbr: SBRElementEncoder?

    /// Parametric stereo of the element.
    let stereo: ParametricStereoEncoder?

    /// Makes the coder of an element.
    init(kind: ChannelElement, instanceTag: Int, lowDelay: Bool, sbr: SBRElementEncoder?, stereo: ParametricStereoEncoder?) {
        self.sbr = sbr
        self.stereo = stereo
        core.configure(kind: kind, instanceTag: instanceTag, lowDelay: lowDelay)
    }

    /// Discards all history but the samples, which the blocks of a lead-in replace.
    func restart(keepsLoudness: Bool) {
        core.restart(keepsLoudness: keepsLoudness)
        sbr?.resetHistory()
        stereo?.restart()
    }
}
