// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && !os(macOS)
/// Audio session settings for capture on iOS; see `AVAudioSession`.
///
/// The category is always `playAndRecord`.
public struct AudioSessionOptions: Hashable, Sendable {
    /// The session mode.
    public enum Mode: Hashable, Sendable {
        /// `AVAudioSession.Mode.default`.
        case standard
        /// Minimal signal processing by the system.
        case measurement
        /// The microphone for video recording.
        case videoRecording
        /// Gain, echo cancellation and routing for calls, required by voice processing.
        case voiceChat
    }

    /// The Bluetooth microphones that the session may use.
    public enum Bluetooth: Hashable, Sendable {
        /// No Bluetooth microphones.
        case none
        /// Hands-Free Profile: mono at 8 to 24 kHz.
        case handsFree
        /// High-quality recording (iOS 26) with supporting headsets, otherwise ``handsFree``. Only with ``Mode/standard``.
        case highQuality
    }

    /// Whether the capture configures and activates the session.
    ///
    /// False leaves that to the app. An app that configures the session itself must activate it before the start, with a category that
    /// supports recording.
    public var isManaged = true

    /// The mode; `nil` selects ``Mode/voiceChat`` with echo cancellation, otherwise ``Mode/standard``.
    public var mode: Mode?

    /// Whether other apps may continue to play.
    ///
    /// With a loudspeaker the recording then contains their audio. A session that does not mix cannot be activated in the background. To
    /// record again after a call, an app must mix or be opened by the user.
    public var mixesWithOthers = false

    /// The Bluetooth microphones that may be used.
    public var bluetooth = Bluetooth.handsFree

    /// Whether the app plays through the loudspeaker instead of the receiver.
    public var prefersSpeaker = true

    /// Whether to ask the system not to interrupt the recording with alerts, such as an incoming call.
    public var silencesSystemAlerts = false

    /// Creates options for recording: no mixing, Hands-Free Profile, loudspeaker.
    public init() {}
}
#endif
