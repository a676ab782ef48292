// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
public import AudioFiles
internal import AudioPrimitives

/// Plays a file to a device, in steps.
///
/// ```swift
/// let player = try AudioPlayer(AudioFile(path: "song.m4a"))
/// while try player.step(timeout: .milliseconds(50)) {}
/// player.finish()
/// ```
///
/// Used by one thread at a time; all members may be used between two steps.
public final class AudioPlayer {
    /// The number of frames read from the file at a time.
    private static let bufferFrames = 4096

    private let file: any PlayableSource
    private let device: any PlaybackDevice
    private var buffer: PCMBuffer
    private var samples: [Float] = []
    private var writtenCount = 0

    /// Opens a device in the format of a file.
    ///
    /// Blocks while it connects to the system.
    ///
    /// - Parameters:
    ///   - file: The file to play.
    ///   - bufferDuration: The length of the audio that waits in the device.
    ///   - name: The identifier of the device; nil for the system's default.
    ///   - backend: The system; nil for the first one that has an output.
    /// - Throws: ``LiveAudioError/device(_:)``.
    public init(
        _ file: any PlayableSource, bufferDuration: Duration = .milliseconds(500), device name: String? = nil,
        backend: AudioBackendKind? = nil
    ) throws(LiveAudioError) {
        self.file = file
        var configuration = PlaybackConfiguration(device: name, sampleRate: file.sampleRate, channelCount: file.channelCount)
        configuration.channelLayout = file.channelLayout
        configuration.bufferDuration = bufferDuration
        do { device = try PlaybackDevices.open(configuration, backend: backend) } catch { throw .device(error) }
        buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: Self.bufferFrames)
    }

    /// The time in the file that is being played.
    public var position: Duration {
        let played = file.position - (samples.count - writtenCount) / file.channelCount - device.waitingFrameCount
        return .seconds(Double(max(0, played)) / Double(file.sampleRate))
    }

    /// The length of the file; nil if it isn't known.
    public var duration: Duration? { file.frameCount.map { .seconds(Double($0) / Double(file.sampleRate)) } }

    /// Whether playback is paused.
    public var isPaused: Bool {
        get { device.isPaused }
        set { device.isPaused = newValue }
    }

    /// Whether the system interrupts playback on behalf of another program, such as a call.
    public var isInterrupted: Bool { device.isInterrupted }

    /// Writes as much audio to the device as there is room for, and waits for room for up to `timeout`.
    ///
    /// - Returns: Whether the file continues.
    /// - Throws: ``LiveAudioError`` if the file or the device fails.
    public func step(timeout: Duration) throws(LiveAudioError) -> Bool {
        if writtenCount == samples.count {
            do { try file.read(into: &buffer) } catch { throw .playback(error) }
            guard buffer.frameCount > 0 else { return false }
            samples = buffer.interleaved
            writtenCount = 0
        }
        let samples = samples
        let byteCount: Int
        do {
            byteCount = try samples.withSpan { (span) throws(DeviceError) in
                try device.write(span.bytes.extracting((writtenCount * MemoryLayout<Float>.size)...), timeout: timeout)
            }
        } catch {
            throw .device(error)
        }
        writtenCount += byteCount / MemoryLayout<Float>.size
        return true
    }

    /// Continues at a time in the file.
    ///
    /// - Returns: Whether the file supports it.
    /// - Throws: ``LiveAudioError/playback(_:)`` if the file can't be read.
    public func seek(to time: Duration) throws(LiveAudioError) -> Bool {
        let frame = max(0, time.frameCount(atRate: file.sampleRate))
        do { guard try file.seek(toFrame: frame) else { return false } } catch { throw .playback(error) }
        samples = []
        writtenCount = 0
        device.flush()
        return true
    }

    /// Waits until everything has been played, for up to 10 s, and closes the device.
    public func finish() {
        device.drain(timeout: .seconds(10))
        device.close()
    }

    /// Stops at once and closes the device.
    public func stop() {
        device.flush()
        device.close()
    }
}
