// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// What to play to, and how.
public struct PlaybackConfiguration: Hashable, Sendable {
    /// The identifier of the device, or nil for the system's default, wherever that moves.
    public var device: String?

    /// Sample rate of the sound in hertz.
    public var sampleRate: Int

    /// How samples lie in memory: interleaved, least significant byte first.
    public var pcm: PCMFormat

    /// How much sound waits in the system, in seconds.
    public var bufferDuration: Double

    /// Makes a configuration for 32-bit floating-point sound.
    public init(device: String? = nil, sampleRate: Int, channelCount: Int) {
        self.device = device
        self.sampleRate = sampleRate
        pcm = PCMFormat(.float32, channelCount: channelCount)
        bufferDuration = 0.5
    }
}

/// An open output that sound is played to.
///
/// One thread at a time, and never a thread of the backend. The device has exactly the format that it was opened with: systems resample.
public protocol PlaybackDevice: AnyObject {
    /// Takes whole frames, as many as have room now, and returns their byte count; waits up to `seconds` for room.
    func write(_ bytes: UnsafeRawBufferPointer, waiting seconds: Double) throws(DeviceError) -> Int

    /// The frames that have been taken but not heard yet.
    var waitingFrameCount: Int { get }

    /// Whether nothing is played for the moment; what waits goes on afterwards.
    var isPaused: Bool { get set }

    /// Whether the system asks for silence on behalf of another program, as for a call.
    var isInterrupted: Bool { get }

    /// Drops what waits.
    func flush()

    /// Waits until everything taken has been heard, or up to `seconds`.
    func drain(waiting seconds: Double)

    /// Closes the device; what waits is dropped.
    func close()
}

/// The systems that sound can be played through on this machine.
public enum PlaybackDevices {
    /// Opens an output of the given system, or of the first one that has any.
    ///
    /// Throws what each of them said if there is none.
    public static func open(
        _ configuration: PlaybackConfiguration, backend: AudioBackendKind? = nil
    ) throws(DeviceError) -> any PlaybackDevice {
        #if os(Linux)
        switch backend {
        case .pulseAudio: return try PulsePlaybackDevice(configuration)
        case .alsa: return try ALSAPlaybackDevice(configuration)
        default: break
        }
        let first: DeviceError
        do { return try PulsePlaybackDevice(configuration) } catch { first = error }
        // A server that is there and refuses has the last word.
        switch first {
        case .noServer, .libraryMissing: break
        default: throw first
        }
        do { return try ALSAPlaybackDevice(configuration) } catch { throw .noBackend([first, error]) }
        #else
        throw .noBackend([])
        #endif
    }
}
