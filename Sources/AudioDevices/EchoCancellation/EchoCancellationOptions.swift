// SPDX-License-Identifier: Apache-2.0

/// The processing of a microphone that picks up a loudspeaker.
public struct EchoCancellationOptions: Hashable, Sendable {
    /// The amount by which steady noise is reduced.
    public enum NoiseSuppression: Int, Hashable, Sendable, CaseIterable {
        /// No reduction.
        case off
        /// About 6 dB.
        case low
        /// About 10 dB.
        case moderate
        /// About 15 dB.
        case high
        /// About 20 dB; distorts speech.
        case veryHigh
    }

    /// The amount by which steady noise is reduced.
    public var noiseSuppression: NoiseSuppression

    /// Whether the level of speech is made uniform.
    public var controlsGain: Bool

    /// The identifier of the input that captures what is played; nil for the monitor of the default output.
    public var reference: String?

    /// Creates options; by default the echo is removed, without other processing.
    public init(noiseSuppression: NoiseSuppression = .off, controlsGain: Bool = false, reference: String? = nil) {
        self.noiseSuppression = noiseSuppression
        self.controlsGain = controlsGain
        self.reference = reference
    }
}
