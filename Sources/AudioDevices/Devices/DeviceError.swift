// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The operation that failed at a device.
public enum DeviceStep: String, Hashable, Sendable, CaseIterable {
    /// Connecting to the sound server.
    case connect
    /// Listing the devices.
    case listDevices = "list devices"
    /// Activating the audio session (iOS only).
    case activateSession = "activate session"
    /// Finding the audio unit (Apple platforms only).
    case findUnit = "find unit"
    /// Opening the device.
    case openDevice = "open device"
    /// Setting the sample format.
    case setSampleFormat = "set sample format"
    /// Setting the channel count.
    case setChannelCount = "set channel count"
    /// Setting the sample rate.
    case setSampleRate = "set sample rate"
    /// Setting the buffer size.
    case setBufferSize = "set buffer size"
    /// Applying the settings.
    case applySettings = "apply settings"
    /// Starting the stream.
    case startStream = "start stream"
    /// Reading audio from the stream.
    case readStream = "read stream"
    /// Writing audio to the stream.
    case writeStream = "write stream"
    /// Opening a file in place of a device.
    case openFile = "open file"
}

/// A setting that a device or this library doesn't support.
public enum CaptureSetting: Hashable, Sendable {
    /// The sample rate in hertz.
    case sampleRate(Int)
    /// The channel count.
    case channelCount(Int)
    /// The channels to capture, as indices from 0.
    case selectedChannels([Int])
    /// The sample format.
    case sampleFormat(SampleFormat)
    /// The length of a buffer.
    case bufferDuration(Duration)
    /// The length of the queue between the device and the receiver.
    case queueDuration(Duration)
    /// The gain, a factor.
    case gain(Float)
}

/// Errors of devices, recordings and playback.
///
/// Two errors are equal if their descriptions are.
public enum DeviceError: Error, Sendable {
    /// The system's library isn't installed.
    case libraryMissing(AudioBackendKind)
    /// This machine has no audio system that can be used; one error for each that was tried.
    case noBackend([DeviceError])
    /// No sound server answers; with the error code of the server's client library.
    case noServer(AudioBackendKind, code: Int32)
    /// The system has no device for the direction.
    case noDevice(AudioBackendKind, AudioDevice.Direction)
    /// No device has this identifier; with the identifiers of those that exist.
    case deviceNotFound(String, available: [String])
    /// A setting is unsupported.
    case unsupportedSetting(CaptureSetting)
    /// An operation failed; with the system's error code.
    case failed(DeviceStep, AudioBackendKind, code: Int32)
    /// An operation didn't complete in time.
    case timedOut(DeviceStep, AudioBackendKind)
    /// The user or an administrator has denied this program the permission to record.
    case permissionDenied
    /// A file can't be opened or read; with the value of `errno`.
    case file(path: String, code: Int32)
    /// A ``PCMSource`` threw an error, described by the text.
    case source(description: String)
    /// Linnet's library of echo cancellation isn't installed.
    case echoCancellerMissing
    /// The echo canceller supports no such format.
    case unsupportedEchoFormat(sampleRate: Int, channelCount: Int)
    /// The echo canceller failed; with its error code.
    case echoCanceller(code: Int32)
    /// Capture was stopped before the device had started.
    case cancelled
    /// The encoder doesn't support the settings of a recording, or failed, or the container can't hold its stream.
    case encoding(any Error)
    /// The operation needs a recording in progress.
    case notRecording
    /// No file format has the extension of this path.
    case unsupportedFileExtension(path: String)
    /// A sink threw an error.
    case sinkFailed(name: String, underlying: any Error)
    /// A sink accepted so little that this number of bytes was waiting for it.
    case sinkTooSlow(name: String, waitingByteCount: Int)
    /// A sink didn't finish in time.
    case sinkTimedOut(name: String, after: Duration)
    /// A source to play can't be read.
    case playback(any Error)

    /// The error of another layer that caused this one; nil if there is none.
    public var underlyingError: (any Error)? {
        switch self {
        case .encoding(let error), .playback(let error), .sinkFailed(_, let error): error
        default: nil
        }
    }
}
