// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The output device and the audio format.
public struct PlaybackConfiguration: Hashable, Sendable {
    /// The device identifier; `nil` selects the system's default device.
    public var device: String?

    /// The sample rate, in hertz.
    public var sampleRate: Int

    /// The sample layout in memory: interleaved, little-endian.
    public var pcm: PCMFormat

    /// The speaker layout; `nil` selects the usual layout for the channel count.
    public var channelLayout: ChannelLayout?

    /// The duration of audio buffered in the system, at most one minute.
    public var bufferDuration = Duration.milliseconds(500)

    /// Creates a configuration for 32-bit float samples, with a buffer of half a second.
    ///
    /// - Parameters:
    ///   - device: The device identifier; `nil` selects the system's default device.
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count.
    public init(device: String? = nil, sampleRate: Int, channelCount: Int) {
        self.device = device
        self.sampleRate = sampleRate
        pcm = PCMFormat(.float32, channelCount: channelCount)
    }
}

/// An open output device.
///
/// Must be used by one thread at a time, which is never a thread of the backend. The device has exactly the requested format; the system
/// resamples if necessary.
public protocol PlaybackBackend: AnyObject {
    /// Writes as many whole frames as fit, and waits up to `timeout` for space.
    ///
    /// - Parameters:
    ///   - bytes: Whole frames.
    ///   - timeout: The maximum wait.
    /// - Returns: The number of bytes written; 0 if nothing fitted.
    /// - Throws: ``DeviceError`` if the stream has ended.
    func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int

    /// The number of frames written but not yet played.
    var waitingFrameCount: Int { get }

    /// Whether playback is paused. Resuming plays the queued frames.
    ///
    /// On iOS the system also pauses: when headphones are disconnected, and after an interruption that should not resume.
    var isPaused: Bool { get set }

    /// Whether the system interrupts playback for another program, for example for a call.
    var isInterrupted: Bool { get }

    /// Discards the queued frames.
    func flush()

    /// Waits up to `timeout` until all written frames have been played.
    ///
    /// - Returns: Whether they have been played or never will be.
    @discardableResult
    func drain(timeout: Duration) -> Bool

    /// Closes the device and discards the queued frames.
    func close()
}

/// An output of this module, with more information and optional state for the next output.
package protocol SystemPlaybackBackend: PlaybackBackend {
    /// The error that ended the stream, if any. The frames queued at that time have not been played.
    var failure: DeviceError? { get }

    /// Ends playback. ``close()`` must follow once another output has been opened or will not be opened.
    ///
    /// Until then an output may keep resources that it could not reacquire later, such as an audio session.
    func suspend()
}

extension SystemPlaybackBackend {
    /// Closes the output, keeping nothing.
    package func suspend() { close() }
}

extension PlaybackConfiguration {
    /// Opens the device.
    ///
    /// Blocks while connecting to the system. On Apple systems the system converts the sample rate, and the device may change. Without
    /// ``device``, playback follows the default output of macOS or the route of iOS. A named device that disappears ends playback with
    /// ``DeviceError/deviceNotFound(_:available:)``; on iOS only an output of the current route can be named. On iOS the audio session gets
    /// the category `playback` and is activated, unless a capture needs another category or the app has chosen one. It is deactivated after
    /// the last player and capture of the process.
    ///
    /// - Parameter backend: The audio system; `nil` selects the first one with an output.
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
        // An error of a running server is more useful than ALSA's error.
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
