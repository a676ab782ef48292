// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioDevices
public import AudioPrimitives

/// Errors thrown when recording or playing.
public enum LiveAudioError: Error, Sendable {
    /// The device failed.
    case device(DeviceError)
    /// The encoder doesn't support the settings, or failed.
    case encoding(any Error)
    /// The operation needs a recording in progress.
    case notRecording
    /// A stream of access units can't be written in this container format.
    case container(ContainerError)
    /// No file format has the extension of this path.
    case unsupportedFileExtension(path: String)
    /// A sink threw an error.
    case sinkFailed(name: String, underlying: any Error)
    /// A sink accepted so little that this number of bytes was waiting for it.
    case sinkTooSlow(name: String, waitingByteCount: Int)
    /// A sink didn't finish in time.
    case sinkTimedOut(name: String, after: Duration)
    /// A file to play can't be read.
    case playback(any Error)

    /// The error of a lower layer that caused this one; nil if there is none.
    public var underlyingError: (any Error)? {
        switch self {
        case .device(let error): error
        case .encoding(let error), .playback(let error), .sinkFailed(_, let error): error
        case .container(let error): error
        case .notRecording, .unsupportedFileExtension, .sinkTooSlow, .sinkTimedOut: nil
        }
    }
}

extension LiveAudioError: DescribedError {
    /// A description of the error.
    public var description: String {
        switch self {
        case .device(let error): error.description
        case .encoding(let error), .playback(let error): String(describing: error)
        case .notRecording: "the recording has not started or has ended"
        case .container(let error): error.description
        case .unsupportedFileExtension(let path): "\(path): no supported format has this extension"
        case .sinkFailed(let name, let error): "\(name): \(error)"
        case .sinkTooSlow(let name, let count): "\(name) is too slow: \(count) bytes were waiting for it"
        case .sinkTimedOut(let name, let duration): "\(name) did not finish within \(duration)"
        }
    }
}
