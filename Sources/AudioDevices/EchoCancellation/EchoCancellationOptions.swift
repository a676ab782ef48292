// SPDX-License-Identifier: Apache-2.0

/// Processing of a microphone signal that contains a loudspeaker's echo.
public struct EchoCancellationOptions: Hashable, Sendable {
    /// The reduction of steady noise.
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

    /// The reduction of steady noise (default: ``NoiseSuppression/off``).
    public var noiseSuppression: NoiseSuppression

    /// Whether to apply automatic gain control to speech (default: false).
    public var controlsGain: Bool

    /// The identifier of the input that captures the loudspeaker's signal; `nil` selects the default output's monitor.
    public var reference: String?

    /// Creates options.
    ///
    /// By default only the echo is removed.
    public init(noiseSuppression: NoiseSuppression = .off, controlsGain: Bool = false, reference: String? = nil) {
        self.noiseSuppression = noiseSuppression
        self.controlsGain = controlsGain
        self.reference = reference
    }
}
