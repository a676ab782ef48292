// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The origin of captured audio.
///
/// ```swift
/// let capture = AudioCapture(source: .rawFile("talk.raw"))
/// ```
public enum CaptureSource: Sendable {
    /// The first audio system of this machine with an input, chosen at the first start.
    case system
    #if os(Linux)
    /// A sound server with the PulseAudio protocol: PulseAudio or PipeWire.
    ///
    /// If `server` is `nil`, the system's settings select the server.
    case pulseAudio(server: String? = nil)
    /// ALSA without a sound server.
    ///
    /// The default device is ALSA's `default`. Names such as `plughw:0` let ALSA convert unsupported sample formats.
    case alsa
    #elseif os(macOS)
    /// Core Audio.
    ///
    /// With `cancelsEcho`, the system removes this program's playback from the captured audio. If that fails, the microphone is captured
    /// unprocessed, and ``CaptureEvent/echoCancellationUnavailable(_:)`` reports it.
    case coreAudio(cancelsEcho: Bool = false)
    #elseif canImport(Darwin)
    /// Core Audio in an audio session.
    ///
    /// With `cancelsEcho`, the system removes this program's playback from the captured audio. If that fails, the microphone is captured
    /// unprocessed, and ``CaptureEvent/echoCancellationUnavailable(_:)`` reports it.
    case coreAudio(cancelsEcho: Bool = false, session: AudioSessionOptions = AudioSessionOptions())
    #endif
    /// A microphone with echo cancellation. `monitor` captures the loudspeaker's signal through the same system.
    ///
    /// On Linux, samples are 32-bit float with one or two channels at up to 48 kHz, and arrive up to 30 ms later than without cancellation.
    /// When the default output changes, its monitor becomes the reference, which is a route change. Apple systems ignore the values, except
    /// the session of a `coreAudio` microphone, and cancel echo themselves, as `coreAudio(cancelsEcho: true)` does. A recorder that records
    /// played audio too uses it as the reference.
    indirect case cancellingEcho(
        microphone: CaptureSource = .system, monitor: CaptureSource = .system, options: EchoCancellationOptions = EchoCancellationOptions())
    /// A microphone with noise suppression and gain control, but without echo cancellation.
    ///
    /// Works on Linux, with the samples of ``cancellingEcho(microphone:monitor:options:)``; the options' reference is ignored. Other systems
    /// throw ``DeviceError/voiceProcessingUnavailable`` at the start.
    indirect case processingVoice(microphone: CaptureSource = .system, options: EchoCancellationOptions)
    /// A headerless file or pipe of interleaved PCM; `-` is standard input.
    ///
    /// The configuration's sample rate, channel count and sample format describe it (default: 48 kHz, one channel).
    case rawFile(String, pace: CapturePace = .realTime)
    /// Audio from the program, as 32-bit float with the source's sample rate and channel count.
    ///
    /// No audio is lost: the source waits for slow receivers, including the files and HLS folders of a recording.
    case program(any PCMSource)
    /// A custom audio system. Use one object for one capture at a time.
    case backend(any CaptureBackend)

    /// Returns a source whose audio a closure provides.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of all buffers, in hertz.
    ///   - channelCount: The channel count of all buffers.
    ///   - next: Returns the next audio, like ``PCMSource/next()``; `nil` at the end.
    public static func program(
        sampleRate: Int, channelCount: Int, _ next: @escaping @Sendable () throws -> PCMBuffer?
    ) -> CaptureSource {
        .program(ClosureSource(sampleRate: sampleRate, channelCount: channelCount, body: next))
    }

    package func makeBackend() -> any CaptureBackend {
        switch self {
        case .system: return AutomaticCaptureBackend()
        #if os(Linux)
        case .pulseAudio(let server): return PulseCaptureBackend(server: server)
        case .alsa: return ALSACaptureBackend()
        case .cancellingEcho(let microphone, let monitor, let options):
            return EchoCancellingBackend(microphone: microphone.makeBackend(), monitor: monitor.makeBackend(), options: options)
        case .processingVoice(let microphone, let options):
            return EchoCancellingBackend(microphone: microphone.makeBackend(), monitor: nil, options: options)
        #elseif os(macOS)
        case .coreAudio(let cancelsEcho): return CoreAudioCaptureBackend(cancelsEcho: cancelsEcho)
        case .cancellingEcho: return CoreAudioCaptureBackend(cancelsEcho: true)
        #elseif canImport(Darwin)
        case .coreAudio(let cancelsEcho, let session): return CoreAudioCaptureBackend(cancelsEcho: cancelsEcho, session: session)
        case .cancellingEcho(.coreAudio(_, let session), _, _): return CoreAudioCaptureBackend(cancelsEcho: true, session: session)
        case .cancellingEcho: return CoreAudioCaptureBackend(cancelsEcho: true)
        #else
        case .cancellingEcho: return AutomaticCaptureBackend()
        #endif
        #if !os(Linux)
        case .processingVoice: return UnavailableCaptureBackend(.voiceProcessingUnavailable)
        #endif
        case .rawFile(let path, let pace): return FileCaptureBackend(path: path, pace: pace)
        case .program(let source): return PCMSourceBackend(source)
        case .backend(let backend): return backend
        }
    }
}

/// A source whose audio a closure provides.
private struct ClosureSource: PCMSource {
    let sampleRate: Int
    let channelCount: Int
    let body: @Sendable () throws -> PCMBuffer?

    func next() throws -> PCMBuffer? { try body() }
}

extension CaptureSource {
    /// Whether a device identifier names audio that this machine plays: the system's, a program's, or an output's monitor.
    package static func isPlayedAudio(_ device: String?) -> Bool {
        PlayedAudio(device) != nil || device?.hasSuffix(".monitor") ?? false
    }
}
