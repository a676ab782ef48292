// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The device to play to and the format of the audio.
public struct PlaybackConfiguration: Hashable, Sendable {
    /// The identifier of the device; nil for the system's default device.
    public var device: String?

    /// The sample rate of the audio in hertz.
    public var sampleRate: Int

    /// The layout of samples in memory: interleaved, little-endian.
    public var pcm: PCMFormat

    /// The speakers of the channels; nil for the usual ones of so many channels.
    public var channelLayout: ChannelLayout?

    /// The length of the audio that waits in the system, at most a minute.
    public var bufferDuration = Duration.milliseconds(500)

    /// Creates a configuration for 32-bit floating-point samples, with a buffer of half a second.
    ///
    /// - Parameters:
    ///   - device: The identifier of the device; nil for the system's default.
    ///   - sampleRate: The sample rate in hertz.
    ///   - channelCount: The number of channels.
    public init(device: String? = nil, sampleRate: Int, channelCount: Int) {
        self.device = device
        self.sampleRate = sampleRate
        pcm = PCMFormat(.float32, channelCount: channelCount)
    }
}

/// An open output device.
///
/// Used by one thread at a time, which is never a thread of the backend. The device has exactly the format that it was opened with; the system
/// resamples if necessary.
public protocol PlaybackBackend: AnyObject {
    /// Writes as many whole frames as there is room for, and waits for room for up to `timeout`.
    ///
    /// - Parameters:
    ///   - bytes: Whole frames.
    ///   - timeout: The longest wait.
    /// - Returns: The number of bytes written; 0 if there was no room.
    /// - Throws: ``DeviceError`` if the stream has ended.
    func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int

    /// The number of frames written but not yet played.
    var waitingFrameCount: Int { get }

    /// Whether playback is paused; the waiting frames are played afterwards.
    var isPaused: Bool { get set }

    /// Whether the system interrupts playback on behalf of another program, such as a call.
    var isInterrupted: Bool { get }

    /// Discards the waiting frames.
    func flush()

    /// Waits until all frames written have been played, for up to `timeout`.
    ///
    /// - Returns: Whether they have been played, or never will be.
    @discardableResult
    func drain(timeout: Duration) -> Bool

    /// Closes the device and discards the waiting frames.
    func close()
}

extension PlaybackConfiguration {
    /// Opens the device.
    ///
    /// Blocks while it connects to the system.
    ///
    /// - Parameter backend: The system; nil for the first one that has an output.
    /// - Throws: ``DeviceError``; ``DeviceError/noBackend(_:)`` with the error of each system if none has an output.
    public func open(_ backend: AudioBackendKind? = nil) throws(DeviceError) -> any PlaybackBackend {
        #if os(Linux)
        switch backend {
        case .pulseAudio: return try PulsePlaybackBackend(self)
        case .alsa: return try ALSAPlaybackBackend(self)
        default: break
        }
        let first: DeviceError
        do { return try PulsePlaybackBackend(self) } catch { first = error }
        // The error of a server that answers is more useful than ALSA's.
        switch first {
        case .noServer, .libraryMissing: break
        default: throw first
        }
        do { return try ALSAPlaybackBackend(self) } catch { throw .noBackend([first, error]) }
        #else
        throw .noBackend([])
        #endif
    }
}

/// The former name of ``PlaybackBackend``.
@available(*, deprecated, renamed: "PlaybackBackend")
public typealias PlaybackDevice = PlaybackBackend
