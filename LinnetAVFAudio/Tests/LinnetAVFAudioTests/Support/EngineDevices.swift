// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation

/// A 441 Hz tone at 48 kHz.
struct ToneSource: PCMSource {
    let sampleRate = 48_000
    let channelCount = 1
    private var frame = 0

    mutating func next() -> PCMBuffer? {
        let samples = (frame..<frame + 480).map { Float(0.5 * sin(2 * Double.pi * 441 * Double($0) / 48_000)) }
        frame += 480
        return PCMBuffer(channels: [samples], sampleRate: 48_000)
    }
}

/// A device that fails after a number of frames.
final class FailingDevice: PlaybackBackend {
    private var remaining: Int
    private let receive: ([Float]) -> Void
    var isPaused = false
    let isInterrupted = false
    let waitingFrameCount = 0

    /// Creates a stereo device.
    init(after frameCount: Int, _ receive: @escaping ([Float]) -> Void) {
        remaining = frameCount
        self.receive = receive
    }

    /// Accepts all bytes, or fails.
    func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        guard remaining > 0 else { throw .failed(.writeStream, .program, code: 5) }
        remaining -= bytes.byteCount / 8
        receive(bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) })
        return bytes.byteCount
    }

    func flush() {}
    func drain(timeout: Duration) -> Bool { true }
    func close() {}
}

/// A 48 kHz stereo device that plays in real time.
final class PacedDevice: PlaybackBackend {
    var isPaused = false
    let isInterrupted = false
    let waitingFrameCount: Int
    private let play: ([Float]) -> Void
    /// The queued samples, at most one block.
    private var waiting: [Float] = []

    /// Creates a device that reports a number of queued frames and passes on the audio that it plays.
    init(waitingFrameCount: Int = 0, play: @escaping ([Float]) -> Void = { _ in }) {
        self.waitingFrameCount = waitingFrameCount
        self.play = play
    }

    func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        Thread.sleep(forTimeInterval: Double(bytes.byteCount) / 8 / 48_000)
        _ = drain(timeout: timeout)
        waiting = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return bytes.byteCount
    }

    func flush() { waiting = [] }

    func drain(timeout: Duration) -> Bool {
        play(waiting)
        waiting = []
        return true
    }

    func close() {}
}
