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
    ///
    /// On iOS the system pauses too: when headphones are disconnected, and after an interruption for which it advises against going on.
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

/// An output of this module, which can tell more, and keep something for the next one.
package protocol SystemPlaybackBackend: PlaybackBackend {
    /// The error that has ended the stream; nil before. What waited then has not been played.
    var failure: DeviceError? { get }

    /// Ends playback; ``close()`` follows when another output has been opened, or will not be.
    ///
    /// An output may keep until then what it can't get back later, such as an audio session.
    func suspend()
}

extension PlaybackConfiguration {
    /// Opens the device.
    ///
    /// Blocks while it connects to the system.
    ///
    /// On Apple's systems the system converts the sample rate, and the device may change: without ``device`` playback follows the default output
    /// of macOS and the route of iOS. A named device that disappears ends it with ``DeviceError/deviceNotFound(_:available:)``; on iOS only an
    /// output of the current route can be named. There the audio session gets the category `playback` and is activated, unless a capture needs
    /// another category or the app has chosen one, and deactivated after the last player and capture of the process.
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
        #elseif canImport(Darwin)
        return try CoreAudioPlaybackBackend(self)
        #else
        throw .noBackend([])
        #endif
    }
}

/// The former name of ``PlaybackBackend``.
@available(*, deprecated, renamed: "PlaybackBackend")
public typealias PlaybackDevice = PlaybackBackend
