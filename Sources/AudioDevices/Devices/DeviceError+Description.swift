// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension DeviceError: DescribedError {
    /// A description of the error, with a remedy where possible.
    public var description: String {
        switch self {
        case .libraryMissing(let backend):
            "\(backend.library) is not installed; install the package \(backend.package)"
        case .noBackend([]): "no usable audio devices"
        case .noBackend(let errors):
            "no usable audio system: " + errors.map(\.description).joined(separator: "; ")
        case .noServer(let backend, let code):
            "no sound server responds (\(backend.message(code))); start pulseaudio or pipewire-pulse, or set PULSE_SERVER"
        case .noDevice(let backend, .input):
            "\(backend.title) has no input device; connect a microphone, or select the monitor of an output"
        case .noDevice(let backend, .output):
            "\(backend.title) has no output device; connect a loudspeaker"
        case .deviceNotFound(let id, let available):
            "unknown device “\(id)”"
                + (available.isEmpty ? "; no devices are available" : "; available devices: " + available.joined(separator: ", "))
        case .programAudioUnsupported(let backend):
            "\(backend.title) cannot record what programs play; use PulseAudio, PipeWire or macOS"
        case .unsupportedSetting(let setting):
            setting.message
        case .failed(let step, let backend, let code):
            "\(backend.title) failed to \(step.rawValue): \(backend.message(code))"
        case .timedOut(let step, let backend):
            "\(backend.title) took too long to \(step.rawValue)"
        case .permissionDenied:
            "no permission to record; allow it in the system settings under Privacy & Security, Microphone"
        case .file(let path, let code):
            "\(path): \(SystemMessages.text(errno: code))"
        case .sourceFailed(let name, let error):
            "\(name): \(error.description)"
        case .unknownSource(let name, let available):
            "no source is named \(name); use \(available.joined(separator: ", "))"
        case .source(let description):
            "the PCM source failed: \(description)"
        case .echoCancellerMissing:
            "missing library liblinnet-echo.so.0 for echo cancellation and noise suppression; install the package liblinnet-echo0"
        case .unsupportedEchoFormat(let rate, let channels):
            "the echo canceller does not support \(rate) Hz with \(channels) channels"
        case .echoCanceller(let code):
            "the echo canceller failed with code \(code)"
        case .voiceProcessingUnavailable:
            "noise suppression and gain control need echo cancellation on this system"
        case .cancelled:
            "stopped before the device had started"
        case .encoding(let error), .playback(let error): String(describing: error)
        case .notRecording: "the recording has not started or has ended"
        case .unsupportedFileExtension(let path): "\(path): unsupported file extension"
        case .sinkFailed(let name, let error): "\(name): \(error)"
        case .sinkTooSlow(let name, let count): "\(name) is too slow; \(count) bytes are queued"
        case .sinkTimedOut(let name, let duration): "\(name) did not finish within \(duration)"
        }
    }
}

extension DeviceError: Hashable {
    /// Compares the descriptions.
    public static func == (first: DeviceError, second: DeviceError) -> Bool { first.description == second.description }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension CaptureSetting {
    fileprivate var message: String {
        switch self {
        case .sampleRate(let rate): "a sample rate of \(rate) Hz is not supported"
        case .channelCount(let count): "\(count) channels are not supported"
        case .selectedChannels(let channels): "the device has no channel \(channels.map { String($0 + 1) }.joined(separator: ", "))"
        case .sampleFormat(let format): "the device does not support \(format) samples"
        case .bufferDuration(let duration): "a buffer of \(duration.inSeconds) s is not supported"
        case .queueDuration(let duration): "a queue of \(duration.inSeconds) s is not supported"
        case .gain(let gain): "a gain of \(gain) is not supported"
        }
    }
}

extension AudioBackendKind {
    /// The system's display name.
    package var title: String {
        switch self {
        case .pulseAudio: "PulseAudio"
        case .alsa: "ALSA"
        case .coreAudio: "Core Audio"
        case .file: "file input"
        case .program: "program input"
        }
    }

    /// The file name of the system's client library.
    fileprivate var library: String { self == .alsa ? "libasound.so.2" : "libpulse.so.0" }

    /// The Debian package of the system's client library.
    fileprivate var package: String { self == .alsa ? "libasound2" : "libpulse0" }

    /// Returns the system's text for an error code, followed by the code.
    fileprivate func message(_ code: Int32) -> String {
        switch self {
        case .coreAudio: FourCharCode(rawValue: UInt32(bitPattern: code)).description + " (\(code))"
        case .file, .program: SystemMessages.text(errno: code)
        case .pulseAudio, .alsa: SystemMessages.text(code, of: self).map { "\($0) (\(code))" } ?? "code \(code)"
        }
    }
}
