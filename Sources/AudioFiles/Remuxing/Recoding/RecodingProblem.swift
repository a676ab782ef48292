// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The reason why a stream cannot be recoded as xHE-AAC without loss.
package enum RecodingProblem: Error, Hashable, Sendable {
    /// A tool of AAC without an equivalent in USAC.
    package enum Tool: Error, Hashable, Sendable {
        case noiseSubstitution
        case intensityStereo
        /// LONG_START after a short slope, which has another window in USAC.
        case windowOrder
        /// TNS in short windows, or with three filters, below the highest band.
        case noiseShapingRange
        /// SBR that the configuration does not announce.
        case unannouncedSBR
        /// An access unit without SBR after others with SBR.
        case missingSBR
        /// SBR frequency bands that differ in USAC.
        case bandTables
        /// Envelope levels that an independent frame cannot code.
        case envelopeRange
        case parametricStereo
        case couplingChannels
    }

    /// The profile, or the name of another codec.
    case profile(String)
    /// The number of channels, or `nil` if the stream does not state it.
    case channels(Int?)
    case frameLength(Int)
    case tool(Tool, accessUnit: Int)
    case damaged(CodecError, accessUnit: Int)
    /// The access unit would be larger than decoders permit.
    case tooLong(accessUnit: Int)
    /// Several inputs.
    case join
    /// The loudness is neither stated nor measurable, because the input cannot be read twice.
    case unknownLoudness
}

extension RecodingProblem: DescribedError {
    package var description: String {
        switch self {
        case .profile(let name): "it is \(name), and only AAC-LC and HE-AAC can be recoded; encode the original again"
        case .channels(let count): "it has \(count.map { "\($0)" } ?? "an unknown number of") channels instead of one or two"
        case .frameLength(let length): "its access units have \(length) sample frames instead of 1024"
        case .tool(let tool, let unit): "access unit \(unit) \(Self.text(tool))"
        case .damaged(let error, let unit): "access unit \(unit) is damaged: \(error)"
        case .tooLong(let unit): "access unit \(unit) would exceed 6144 bits per channel; encode the original again"
        case .unknownLoudness: "a pipe cannot be read twice to measure its loudness"
        case .join: "joined files cannot be recoded; recode each file first"
        }
    }

    private static func text(_ tool: Tool) -> String {
        switch tool {
        case .noiseSubstitution: "has perceptual noise substitution (PNS), which xHE-AAC lacks"
        case .intensityStereo: "has intensity stereo, which xHE-AAC lacks"
        case .windowOrder: "has a start window after a short window, which means another window in xHE-AAC; encode the original again"
        case .noiseShapingRange: "has temporal noise shaping (TNS) whose range xHE-AAC lacks; encode the original again"
        case .unannouncedSBR: "has SBR (HE-AAC) that the configuration does not announce; encode the original again"
        case .missingSBR: "has no SBR, unlike others; encode the original again"
        case .bandTables: "has SBR frequency bands that xHE-AAC lacks; encode the original again"
        case .envelopeRange: "has SBR envelopes that xHE-AAC cannot code independently; encode the original again"
        case .parametricStereo: "has parametric stereo (HE-AAC v2), which xHE-AAC lacks; encode the original as HE-AAC"
        case .couplingChannels: "has coupling channels, which xHE-AAC lacks; encode the original again"
        }
    }
}
