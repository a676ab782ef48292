// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The system that a device is reached through.
public enum AudioBackendKind: String, Hashable, Sendable, CaseIterable {
    /// The protocol of PulseAudio, which PipeWire speaks too.
    case pulseAudio = "pulse"
    /// The kernel's own devices on Linux.
    case alsa = "alsa"
    /// Apple's Core Audio.
    case coreAudio = "coreaudio"
    /// A PCM file or pipe in place of a device.
    case file = "file"
}

/// An input or output that sound can be recorded from or played to.
public struct AudioDevice: Hashable, Sendable {
    /// Which way the sound goes.
    public enum Direction: String, Hashable, Sendable {
        /// A source, such as a microphone.
        case input
        /// A sink, such as a loudspeaker.
        case output
    }

    /// The system that knows the device.
    public var backend: AudioBackendKind

    /// The name that the system finds the device by; what ``CaptureConfiguration/device`` takes.
    public var id: String

    /// A name for people.
    public var name: String

    /// Which way the sound goes.
    public var direction: Direction

    /// The device's own sample rate in hertz, or nil where the system doesn't say before the device is open.
    public var sampleRate: Int?

    /// The device's own channel count, or nil where the system doesn't say before the device is open.
    public var channelCount: Int?

    /// Whether the system takes this device when none is named.
    public var isDefault: Bool

    /// Whether an input hears what an output plays, in place of a microphone.
    public var isMonitor: Bool

    /// Makes a description of a device.
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
