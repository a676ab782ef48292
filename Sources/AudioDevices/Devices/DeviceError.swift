// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The device operation that failed.
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
    /// Opening a file instead of a device.
    case openFile = "open file"
}

/// A setting that a device or this library does not support.
public enum CaptureSetting: Hashable, Sendable {
    /// The sample rate, in hertz.
    case sampleRate(Int)
    /// The channel count.
    case channelCount(Int)
    /// The channels to capture, as indices from 0.
    case selectedChannels([Int])
    /// The sample format.
    case sampleFormat(SampleFormat)
    /// The buffer duration.
    case bufferDuration(Duration)
    /// The duration of the queue between the device and the receiver.
    case queueDuration(Duration)
    /// The gain, as a factor.
    case gain(Float)
}

/// Errors of devices, recordings and playback.
///
/// Two errors are equal if their descriptions are equal.
public enum DeviceError: Error, Sendable {
    /// The system's client library is not installed.
    case libraryMissing(AudioBackendKind)
    /// No audio system is usable. Contains one error per system tried.
    case noBackend([DeviceError])
    /// No sound server responds. `code` is the client library's error code.
    case noServer(AudioBackendKind, code: Int32)
    /// The system has no device for the direction.
    case noDevice(AudioBackendKind, AudioDevice.Direction)
    /// The identifier is unknown; `available` lists the existing ones.
    case deviceNotFound(String, available: [String])
    /// The audio system cannot capture what programs play.
    case programAudioUnsupported(AudioBackendKind)
    /// A setting is not supported.
    case unsupportedSetting(CaptureSetting)
    /// An operation failed; `code` is the system's error code.
    case failed(DeviceStep, AudioBackendKind, code: Int32)
    /// An operation did not complete in time.
    case timedOut(DeviceStep, AudioBackendKind)
    /// The user or an administrator has denied permission to record.
    case permissionDenied
    /// A file cannot be opened or read; `code` is an `errno` value.
    case file(path: String, code: Int32)
    /// One of several sources of a recording cannot be opened.
    indirect case sourceFailed(name: String, DeviceError)
    /// A recording has no source with this name; `available` lists the existing ones.
    case unknownSource(String, available: [String])
    /// A ``PCMSource`` threw an error.
    case source(description: String)
    /// Linnet's echo cancellation library is not installed.
    case echoCancellerMissing
    /// The echo canceller does not support the format.
    case unsupportedEchoFormat(sampleRate: Int, channelCount: Int)
    /// The echo canceller failed with an error code.
    case echoCanceller(code: Int32)
    /// This system has no noise suppression and gain control without echo cancellation.
    case voiceProcessingUnavailable
    /// The capture was stopped before the device had started.
    case cancelled
    /// The encoder does not support the recording's settings or failed, or the container cannot store its stream.
    case encoding(any Error)
    /// The operation requires a recording in progress.
    case notRecording
    /// The path's extension matches no supported file format.
    case unsupportedFileExtension(path: String)
    /// A sink threw an error.
    case sinkFailed(name: String, underlying: any Error)
    /// A sink was too slow; `waitingByteCount` bytes were queued.
    case sinkTooSlow(name: String, waitingByteCount: Int)
    /// A sink did not finish in time.
    case sinkTimedOut(name: String, after: Duration)
    /// A source cannot be read for playback.
    case playback(any Error)

    /// The underlying error of another layer, if any.
    public var underlyingError: (any Error)? {
        switch self {
        case .encoding(let error), .playback(let error), .sinkFailed(_, let error): error
        default: nil
        }
    }
}
