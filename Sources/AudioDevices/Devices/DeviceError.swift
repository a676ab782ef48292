// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// What was being done when a device failed.
public enum DeviceStep: String, Hashable, Sendable, CaseIterable {
    /// Connecting to the sound server.
    case connect
    /// Asking which devices there are.
    case listDevices = "list devices"
    /// Activating the audio session (Apple's systems only).
    case activateSession = "activate session"
    /// Finding the audio unit (Apple's systems only).
    case findUnit = "find unit"
    /// Opening the device.
    case openDevice = "open device"
    /// Choosing how samples lie in memory.
    case setSampleFormat = "set sample format"
    /// Choosing the channel count.
    case setChannelCount = "set channel count"
    /// Choosing the sample rate.
    case setSampleRate = "set sample rate"
    /// Choosing the buffer's size.
    case setBufferSize = "set buffer size"
    /// Putting the settings in force.
    case applySettings = "apply settings"
    /// Starting the stream.
    case startStream = "start stream"
    /// Taking sound from the stream.
    case readStream = "read stream"
    /// Giving sound to the stream.
    case writeStream = "write stream"
    /// Opening a file in place of a device.
    case openFile = "open file"
}

/// A setting that a device or this program refuses.
public enum CaptureSetting: Hashable, Sendable {
    /// Sample rate in hertz.
    case sampleRate(Int)
    /// Channel count.
    case channelCount(Int)
    /// Channels to pick.
    case selectedChannels([Int])
    /// Sample format.
    case sampleFormat(SampleFormat)
    /// Buffer duration in seconds.
    case bufferDuration(Double)
    /// Queue duration in seconds.
    case queueDuration(Double)
    /// Gain.
    case gain(Float)
}

/// Why a device can't be used.
public enum DeviceError: Error, Hashable, Sendable {
    /// The system's library isn't installed.
    case libraryMissing(AudioBackendKind)
    /// There is no system to record or play with on this machine; what each one said.
    case noBackend([DeviceError])
    /// No sound server answers; the code is the server library's.
    case noServer(AudioBackendKind, code: Int32)
    /// The system has no such device at all.
    case noDevice(AudioBackendKind, AudioDevice.Direction)
    /// No device has this identifier; those that could be used are listed.
    case deviceNotFound(String, available: [String])
    /// The setting can't be had.
    case unsupportedSetting(CaptureSetting)
    /// A step failed with the system's code.
    case failed(DeviceStep, AudioBackendKind, code: Int32)
    /// A step took too long.
    case timedOut(DeviceStep, AudioBackendKind)
    /// A file has no such format or can't be opened; the code is errno.
    case file(path: String, code: Int32)
    /// Stopped while it was still starting.
    case cancelled
}
