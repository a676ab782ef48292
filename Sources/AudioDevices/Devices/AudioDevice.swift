// SPDX-License-Identifier: Apache-2.0

/// An audio system that devices are reached through.
public enum AudioBackendKind: String, Hashable, Sendable, CaseIterable {
    /// The PulseAudio protocol, spoken by PulseAudio and PipeWire.
    case pulseAudio = "pulse"
    /// The Linux kernel's own devices.
    case alsa = "alsa"
    /// Apple's Core Audio.
    case coreAudio = "coreaudio"
    /// A PCM file or pipe in place of a device.
    case file = "file"
    /// A PCMSource of the program in place of a device.
    case program = "program"
}

/// An input or output device.
public struct AudioDevice: Hashable, Sendable {
    /// The direction of the audio.
    public enum Direction: String, Hashable, Sendable {
        /// A source of audio, such as a microphone.
        case input
        /// A destination of audio, such as a loudspeaker.
        case output
    }

    /// The system that the device belongs to.
    public var backend: AudioBackendKind

    /// The system's unique name of the device; the value for ``CaptureConfiguration/device`` and ``PlaybackConfiguration/device``.
    public var id: String

    /// The name of the device to show to people.
    public var name: String

    /// The direction of the audio.
    public var direction: Direction

    /// The device's own sample rate in hertz; nil if the system doesn't report it before the device is open.
    public var sampleRate: Int?

    /// The device's own channel count; nil if the system doesn't report it before the device is open.
    public var channelCount: Int?

    /// Whether the system uses this device when none is named.
    public var isDefault: Bool

    /// Whether the device is an input that captures what an output plays.
    public var isMonitor: Bool

    /// Creates a description of a device with unknown sample rate and channel count.
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
