// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

extension DeviceError: CustomStringConvertible {
    /// What went wrong, and the way out where there is one.
    public var description: String {
        switch self {
        case .libraryMissing(let backend):
            "\(backend.library) is not installed; install the package \(backend.package)"
        case .noBackend(let errors):
            "there is no sound system to use: " + errors.map(\.description).joined(separator: "; ")
        case .noServer(let backend, let code):
            "no sound server answers (\(backend.message(code))): start pulseaudio or pipewire-pulse, or set PULSE_SERVER"
        case .noDevice(let backend, .input):
            "\(backend.title) has no input: connect a microphone, or name a monitor from `linnet devices`"
        case .noDevice(let backend, .output):
            "\(backend.title) has no output: connect a loudspeaker"
        case .deviceNotFound(let id, let available):
            "there is no device “\(id)”"
                + (available.isEmpty ? "; there is no device at all" : "; there are: " + available.joined(separator: ", "))
        case .unsupportedSetting(let setting):
            setting.refusal
        case .failed(let step, let backend, let code):
            "\(backend.title) failed to \(step.rawValue): \(backend.message(code))"
        case .timedOut(let step, let backend):
            "\(backend.title) took too long to \(step.rawValue)"
        case .file(let path, let code):
            "\(path): \(systemMessage(code))"
        case .cancelled:
            "stopped before the device had started"
        }
    }
}

extension CaptureSetting {
    fileprivate var refusal: String {
        switch self {
        case .sampleRate(let rate): "a sample rate of \(rate) Hz can't be had"
        case .channelCount(let count): "\(count) channels can't be had"
        case .selectedChannels(let channels): "the device has no such channels: \(channels.map(String.init).joined(separator: ", "))"
        case .sampleFormat(let format): "the device doesn't give \(format) samples"
        case .bufferDuration(let seconds): "a buffer of \(seconds) s can't be had"
        case .queueDuration(let seconds): "a queue of \(seconds) s can't be had"
        case .gain(let gain): "a gain of \(gain) makes no sense"
        }
    }
}

extension AudioBackendKind {
    /// The name of the system for people.
    public var title: String {
        switch self {
        case .pulseAudio: "PulseAudio"
        case .alsa: "ALSA"
        case .coreAudio: "Core Audio"
        case .file: "file input"
        }
    }

    fileprivate var library: String { self == .alsa ? "libasound.so.2" : "libpulse.so.0" }
    fileprivate var package: String { self == .alsa ? "libasound2" : "libpulse0" }

    /// The system's words for a code, and the code.
    fileprivate func message(_ code: Int32) -> String {
        switch self {
        case .coreAudio: FourCharCode(rawValue: UInt32(bitPattern: code)).description + " (\(code))"
        case .file: systemMessage(code)
        case .pulseAudio: pulseMessage(code).map { "\($0) (\(code))" } ?? "code \(code)"
        case .alsa: alsaMessage(code).map { "\($0) (\(code))" } ?? "code \(code)"
        }
    }
}
