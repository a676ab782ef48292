// SPDX-License-Identifier: Apache-2.0

/// An audio system.
public enum AudioBackendKind: String, Hashable, Sendable, CaseIterable {
    /// The PulseAudio protocol, implemented by PulseAudio and PipeWire.
    case pulseAudio = "pulse"
    /// ALSA, the Linux kernel's audio devices.
    case alsa = "alsa"
    /// Apple's Core Audio.
    case coreAudio = "coreaudio"
    /// A PCM file or pipe instead of a device.
    case file = "file"
    /// A ``PCMSource`` of the program instead of a device.
    case program = "program"
}

/// An input or output device.
public struct AudioDevice: Hashable, Sendable {
    /// The direction of the audio.
    public enum Direction: String, Hashable, Sendable {
        /// An audio source, such as a microphone.
        case input
        /// An audio destination, such as a loudspeaker.
        case output
    }

    /// The device's audio system.
    public var backend: AudioBackendKind

    /// The system's unique identifier, for ``CaptureConfiguration/device`` and ``PlaybackConfiguration/device``.
    public var id: String

    /// The display name.
    public var name: String

    /// The direction of the audio.
    public var direction: Direction

    /// The device's native sample rate, in hertz; `nil` if unknown before the device is opened.
    public var sampleRate: Int?

    /// The device's native channel count; `nil` if unknown before the device is opened.
    public var channelCount: Int?

    /// Whether this is the system's default device.
    public var isDefault: Bool

    /// Whether the device is an input that captures the signal of an output.
    public var isMonitor: Bool

    /// Creates a description with unknown sample rate and channel count.
    public init(
        backend: AudioBackendKind, id: String, name: String, direction: Direction, isDefault: Bool = false, isMonitor: Bool = false
    ) {
        self.backend = backend
        self.id = id
        self.name = name
        self.direction = direction
        self.isDefault = isDefault
        self.isMonitor = isMonitor
    }
}
