// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && !os(macOS)
/// The settings of the audio session that a capture on iOS sets; see `AVAudioSession`.
///
/// The category is always `playAndRecord`.
public struct AudioSessionOptions: Hashable, Sendable {
    /// A mode of the session.
    public enum Mode: Hashable, Sendable {
        /// `AVAudioSession.Mode.default`.
        case standard
        /// The least processing by the system.
        case measurement
        /// The microphone beside the camera.
        case videoRecording
        /// Gain, echo and route of a call, as voice processing needs it.
        case voiceChat
    }

    /// The microphones of Bluetooth that the session may use.
    public enum Bluetooth: Hashable, Sendable {
        /// None.
        case none
        /// Those of the Hands-Free Profile: 8 to 24 kHz, mono.
        case handsFree
        /// High-quality recording of iOS 26 with headsets that have it, otherwise ``handsFree``; with ``Mode/standard`` only.
        case highQuality
    }

    /// Whether the capture sets and activates the session; false leaves that to the app.
    ///
    /// An app that sets the session itself has to activate it before the start, with a category that records.
    public var isManaged = true

    /// The mode; nil for ``Mode/voiceChat`` with echo cancellation, and ``Mode/standard`` without.
    public var mode: Mode?

    /// Whether other apps go on to play, which a loudspeaker makes part of the recording.
    ///
    /// A session that does not mix can't be activated in the background: an app that is to record again after a call has to mix, or to be opened
    /// by the user.
    public var mixesWithOthers = false

    /// The microphones of Bluetooth that may be used.
    public var bluetooth = Bluetooth.handsFree

    /// Whether the app plays through the loudspeaker instead of the receiver.
    public var prefersSpeaker = true

    /// Whether the system is asked not to interrupt the recording by alerts, such as the ringing of a call.
    public var silencesSystemAlerts = false

    /// Creates the options of a recorder: no mixing, Hands-Free Profile, loudspeaker.
    public init() {}
}
#endif
