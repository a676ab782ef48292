// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What is done to a microphone that hears a loudspeaker.
public struct EchoCancellationOptions: Hashable, Sendable {
    /// How strongly steady noise is taken out.
    public enum NoiseSuppression: Int, Hashable, Sendable, CaseIterable {
        /// Not at all.
        case off
        /// About 6 dB.
        case low
        /// About 10 dB.
        case moderate
        /// About 15 dB.
        case high
        /// About 20 dB; speech suffers.
        case veryHigh
    }

    /// How strongly steady noise is taken out.
    public var noiseSuppression: NoiseSuppression

    /// Whether speech is brought to one level.
    public var controlsGain: Bool

    /// The input that hears what is played, or nil for the monitor of the default output.
    public var reference: String?

    /// Makes options: the echo is taken out, and nothing else is done.
    public init(noiseSuppression: NoiseSuppression = .off, controlsGain: Bool = false, reference: String? = nil) {
        self.noiseSuppression = noiseSuppression
        self.controlsGain = controlsGain
        self.reference = reference
    }
}
