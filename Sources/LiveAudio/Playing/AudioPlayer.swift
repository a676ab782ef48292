// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioDevices
public import AudioFiles
internal import AudioPrimitives

/// Plays a sound file to a device, a step at a time.
///
/// Call ``step(waiting:)`` until it returns false; everything else may be called in between. One thread at a time.
public final class AudioPlayer {
    private static let bufferFrames = 4096

    private let file: any PlayableSource
    private let device: any PlaybackDevice
    private var buffer: PCMBuffer
    private var bytes: [UInt8] = []
    private var sent = 0

    /// Opens a device for a file.
    public init(
        _ file: any PlayableSource, device name: String? = nil, backend: AudioBackendKind? = nil
    ) throws(DeviceError) {
        self.file = file
        let configuration = PlaybackConfiguration(device: name, sampleRate: file.sampleRate, channelCount: file.channelCount)
        device = try PlaybackDevices.open(configuration, backend: backend)
        buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: Self.bufferFrames)
    }

    private var frameSize: Int { file.channelCount * 4 }

    /// Seconds that have been heard, from the start of the file.
    public var position: Double {
        let heard = file.position - (bytes.count - sent) / frameSize - device.waitingFrameCount
        return Double(max(0, heard)) / Double(file.sampleRate)
    }

    /// The length of the file in seconds, or nil where it isn't known.
    public var duration: Double? { file.frameCount.map { Double($0) / Double(file.sampleRate) } }

    /// Whether nothing is heard for the moment.
    public var isPaused: Bool {
        get { device.isPaused }
        set { device.isPaused = newValue }
    }

    /// Whether the system asks for silence on behalf of another program.
    public var isInterrupted: Bool { device.isInterrupted }

    /// Gives the device what it has room for, waiting up to `seconds`; false when the file is at its end.
    public func step(waiting seconds: Double) throws -> Bool {
        if sent == bytes.count {
            try file.read(into: &buffer)
            guard buffer.frameCount > 0 else { return false }
            interleave()
        }
        sent += try bytes.withUnsafeBytes { all in
            try device.write(UnsafeRawBufferPointer(rebasing: all[sent...]), waiting: seconds)
        }
        return true
    }

    /// Goes to a time in the file; false where the file can't.
    public func seek(toSeconds seconds: Double) throws -> Bool {
        guard try file.seek(toFrame: Int(max(0, seconds) * Double(file.sampleRate))) else { return false }
        bytes = []
        sent = 0
        device.flush()
        return true
    }

    /// Waits until everything has been heard.
    public func finish() {
        device.drain(waiting: 10)
        device.close()
    }

    /// Ends at once.
    public func stop() {
        device.flush()
        device.close()
    }

    private func interleave() {
        let channels = file.channelCount
        let frames = buffer.frameCount
        bytes = [UInt8](repeating: 0, count: frames * frameSize)
        sent = 0
        bytes.withUnsafeMutableBytes { target in
            for channel in 0..<channels {
                let start = buffer.range(ofChannel: channel).lowerBound
                for frame in 0..<frames {
                    target.storeBytes(of: buffer.samples[start + frame], toByteOffset: (frame * channels + channel) * 4, as: Float.self)
                }
            }
        }
    }
}
