// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformEncoding

/// An element encoder with its SBR and PS encoders.
///
/// A class, so that they are mutated in place.
package final class ElementCoder {
    /// The encoder of the core, without SBR and PS.
    package var core: ElementEncoder

    private(set) var sbr: SBRElementEncoder?

    /// The encoder of parametric stereo or MPEG Surround; `nil` without a downmix.
    private(set) var stereo: ParametricStereoEncoder?

    /// The frames of a recorded pass; `nil` unless passes are kept.
    var recording: SBRRecording?

    /// The trial encoding state; `nil` if noise targets are not corrected by errors, as in low-frequency channels.
    let trial: ElementAnalysisBySynthesis?

    init(kind: ChannelElement, instanceTag: Int, _ setup: EncoderSetup) {
        trial = kind != .lowFrequency && setup.usesAnalysisBySynthesis ? ElementAnalysisBySynthesis(setup) : nil
        core = ElementEncoder(
            kind: kind, instanceTag: instanceTag, frameLength: setup.frameLength, blockLength: setup.blockLength,
            lowDelay: setup.configuration.settings.lowDelay || setup.profile.isLowDelay,
            hasLongWindow: setup.profile == .enhancedLowDelay)
        #if !hasFeature(Embedded) || LINNET_USAC
        if setup.profile == .extendedHighEfficiency {
            core.first.coder.useArithmeticCoder(setup.searchEffort)
            if kind == .pair { core.second.coder.useArithmeticCoder(setup.searchEffort) }
        }
        #endif
        makeTools(setup)
    }

    /// Creates the SBR and PS encoders.
    private func makeTools(_ setup: EncoderSetup) {
        sbr = setup.sbr.map { SBRElementEncoder(kind: core.kind, tuning: $0) }
        if let settings = setup.parametricStereo, let sbr = setup.sbr {
            stereo = ParametricStereoEncoder(settings, sbr.layout)
        }
    }

    /// Resets to the start of the stream.
    ///
    /// The core reuses its memory.
    func startStream(_ setup: EncoderSetup, keepsLoudness: Bool) {
        core.startStream(keepsLoudness: keepsLoudness)
        trial?.reset()
        makeTools(setup)
    }

    /// Clears all history except samples, which the lead-in blocks overwrite.
    func restart() {
        core.restart()
        trial?.reset()
        sbr?.resetHistory()
        stereo?.restart()
    }
}
