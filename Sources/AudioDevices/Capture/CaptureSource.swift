// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The origin of captured audio.
///
/// ```swift
/// let capture = AudioCapture(source: .rawFile("talk.raw"))
/// ```
public enum CaptureSource: Sendable {
    /// The first audio system of this machine that has an input, chosen at the first start.
    case system
    #if os(Linux)
    /// A sound server that speaks the PulseAudio protocol, as PulseAudio and PipeWire do.
    ///
    /// The address of the server is nil for the one of the system's settings.
    case pulseAudio(server: String? = nil)
    /// ALSA without a sound server.
    ///
    /// The default device is ALSA's `default`. Names such as `plughw:0` let ALSA convert sample formats that a device doesn't support.
    case alsa
    #elseif os(macOS)
    /// Core Audio.
    ///
    /// With `cancelsEcho`, the system removes what this program plays from the captured audio. Where that fails, the microphone is captured as it
    /// is, and ``CaptureEvent/echoCancellationUnavailable(_:)`` says so.
    case coreAudio(cancelsEcho: Bool = false)
    #elseif canImport(Darwin)
    /// Core Audio in an audio session.
    ///
    /// With `cancelsEcho`, the system removes what this program plays from the captured audio. Where that fails, the microphone is captured as it
    /// is, and ``CaptureEvent/echoCancellationUnavailable(_:)`` says so.
    case coreAudio(cancelsEcho: Bool = false, session: AudioSessionOptions = AudioSessionOptions())
    #endif
    /// A microphone without the echo of what the loudspeaker plays, which `monitor` captures: both through the same system.
    ///
    /// On Linux samples are 32-bit floating point, one or two channels at up to 48 kHz, about 10 ms later than without. When another output becomes
    /// the default, its monitor is captured from then on, which is a route change. Apple's systems cancel echo themselves, as
    /// `coreAudio(cancelsEcho: true)` does, and ignore the values.
    indirect case cancellingEcho(
        microphone: CaptureSource = .system, monitor: CaptureSource = .system, options: EchoCancellationOptions = EchoCancellationOptions())
    /// A file or pipe of interleaved PCM without a header; `-` is standard input.
    ///
    /// The configuration's sample rate, channel count and sample format describe it; by default 48 kHz and one channel.
    case rawFile(String, pace: CapturePace = .realTime)
    /// Audio of the program, as 32-bit floating point in its own sample rate and channel count.
    ///
    /// Nothing is ever lost: the source waits for slow receivers, as do the files and HLS folders of a recording.
    case program(any PCMSource)
    /// An audio system of the program's own; one object for one capture at a time.
    case backend(any CaptureBackend)

    /// Audio of the program that a function returns.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of all buffers, in hertz.
    ///   - channelCount: The number of channels of all buffers.
    ///   - next: Returns the next audio, as ``PCMSource/next()`` does; nil at the end.
    public static func program(
        sampleRate: Int, channelCount: Int, _ next: @escaping @Sendable () throws -> PCMBuffer?
    ) -> CaptureSource {
        .program(ClosureSource(sampleRate: sampleRate, channelCount: channelCount, body: next))
    }

    /// Creates a backend that captures the source.
    package func makeBackend() -> any CaptureBackend {
        switch self {
        case .system: return AutomaticCaptureBackend()
        #if os(Linux)
        case .pulseAudio(let server): return PulseCaptureBackend(server: server)
        case .alsa: return ALSACaptureBackend()
        case .cancellingEcho(let microphone, let monitor, let options):
            return EchoCancellingBackend(microphone: microphone.makeBackend(), monitor: monitor.makeBackend(), options: options)
        #elseif os(macOS)
        case .coreAudio(let cancelsEcho): return CoreAudioCaptureBackend(cancelsEcho: cancelsEcho)
        case .cancellingEcho: return CoreAudioCaptureBackend(cancelsEcho: true)
        #elseif canImport(Darwin)
        case .coreAudio(let cancelsEcho, let session): return CoreAudioCaptureBackend(cancelsEcho: cancelsEcho, session: session)
        case .cancellingEcho: return CoreAudioCaptureBackend(cancelsEcho: true)
        #else
        case .cancellingEcho: return AutomaticCaptureBackend()
        #endif
        case .rawFile(let path, let pace): return FileCaptureBackend(path: path, pace: pace)
        case .program(let source): return PCMSourceBackend(source)
        case .backend(let backend): return backend
        }
    }
}

/// A source whose audio a function returns.
private struct ClosureSource: PCMSource {
    let sampleRate: Int
    let channelCount: Int
    let body: @Sendable () throws -> PCMBuffer?

    /// Returns what the function returns.
    func next() throws -> PCMBuffer? { try body() }
}
