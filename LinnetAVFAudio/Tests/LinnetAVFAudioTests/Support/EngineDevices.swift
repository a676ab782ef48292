// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation

/// A tone of 441 Hz at 48 kHz.
struct ToneSource: PCMSource {
    let sampleRate = 48_000
    let channelCount = 1
    private var frame = 0

    /// Returns 10 ms.
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

    /// Creates a device of stereo.
    init(after frameCount: Int, _ receive: @escaping ([Float]) -> Void) {
        remaining = frameCount
        self.receive = receive
    }

    /// Takes all bytes, or fails.
    func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        guard remaining > 0 else { throw .failed(.writeStream, .program, code: 5) }
        remaining -= bytes.byteCount / 8
        receive(bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) })
        return bytes.byteCount
    }

    /// Does nothing.
    func flush() {}
    /// Does nothing.
    func drain(timeout: Duration) -> Bool { true }
    /// Does nothing.
    func close() {}
}

/// A device that takes stereo at 48 kHz in real time.
final class PacedDevice: PlaybackBackend {
    var isPaused = false
    let isInterrupted = false
    let waitingFrameCount: Int
    private let play: ([Float]) -> Void
    /// The samples that wait, at most a block.
    private var waiting: [Float] = []

    /// Creates a device that says that so many frames wait, and passes on what it plays.
    init(waitingFrameCount: Int = 0, play: @escaping ([Float]) -> Void = { _ in }) {
        self.waitingFrameCount = waitingFrameCount
        self.play = play
    }

    /// Plays the bytes that wait, and takes others.
    func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        Thread.sleep(forTimeInterval: Double(bytes.byteCount) / 8 / 48_000)
        drain(timeout: timeout)
        waiting = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return bytes.byteCount
    }

    /// Discards the bytes that wait.
    func flush() { waiting = [] }

    /// Plays the bytes that wait.
    func drain(timeout: Duration) -> Bool {
        play(waiting)
        waiting = []
        return true
    }

    /// Does nothing.
    func close() {}
}
