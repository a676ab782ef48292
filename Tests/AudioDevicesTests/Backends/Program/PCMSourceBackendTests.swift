// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Dispatch
import Testing

@Suite struct PCMSourceBackendTests {
    /// A ramp of frame numbers in buffers of varying length.
    ///
    /// The second channel is negated.
    private struct Ramp: PCMSource {
        struct Failure: Error {}

        let sampleRate = 44_100
        var channelCount = 2
        var bufferChannels = 2
        var bufferRate = 44_100
        var frames: Int
        var fails = false
        private var position = 0

        init(frames: Int) { self.frames = frames }

        mutating func next() throws -> PCMBuffer? {
            if position == frames {
                if fails { throw Failure() }
                return nil
            }
            let count = min(frames - position, 1 + position % 10_007)
            var buffer = PCMBuffer(sampleRate: bufferRate, channelCount: bufferChannels, frameCapacity: count)
            for channel in 0..<bufferChannels {
                for index in 0..<count { buffer.samples[channel * count + index] = Float(position + index) * (channel == 0 ? 1 : -1) }
            }
            position += count
            return buffer
        }
    }

    @Test("Delivers every sample once and unchanged; the end of the source ends the capture")
    func whole() async throws {
        let capture = AudioCapture(source: .program(Ramp(frames: 200_000)))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        await capture.waitUntilFinished()
        #expect(capture.state == .stopped && capture.format?.sampleRate == 44_100)
        let ramp = (0..<200_000).flatMap { (index: Int) -> [Float] in [Float(index), Float(-index)] }
        #expect(record.floats == ramp)
        #expect(capture.statistics.lostFrames == 0 && record.filledFrames == 0)
    }

    /// One buffer, and then nothing until a release.
    private struct Stalled: PCMSource {
        let sampleRate = 48_000
        let channelCount = 1
        let release: DispatchSemaphore
        private var isFirst = true

        init(release: DispatchSemaphore) { self.release = release }

        mutating func next() -> PCMBuffer? {
            if !isFirst { release.wait() }
            isFirst = false
            return PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: 480, frameCount: 480)
        }
    }

    @Test("Stop does not wait for a source that is blocked, and keeps the audio before")
    func stalled() async throws {
        let release = DispatchSemaphore(value: 0)
        let capture = AudioCapture(source: .program(Stalled(release: release)))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        while record.frames < 480 { try await Task.sleep(for: .milliseconds(5)) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 10) { release.signal() }
        let start = ContinuousClock.now
        await capture.stop()
        #expect(ContinuousClock.now - start < .seconds(5) && record.frames == 480)
    }

    @Test("Throwing source, wrong channel count or wrong sample rate ends the capture with an error")
    func failures() async throws {
        var failing = Ramp(frames: 1000)
        failing.fails = true
        var wrong = Ramp(frames: 1000)
        wrong.bufferChannels = 1
        var slow = Ramp(frames: 1000)
        slow.bufferRate = 22_050
        for (source, frames) in [(failing, 1000), (wrong, 0), (slow, 0)] {
            let capture = AudioCapture(source: .program(source))
            let record = CaptureRecord(capture)
            try await capture.start { record.take($0) }
            await capture.waitUntilFinished()
            guard case .failed(.source) = capture.state else {
                Issue.record("\(capture.state)")
                continue
            }
            #expect(record.frames == frames)
        }
    }

    @Test("Unsupported channel count throws")
    func refused() async {
        var source = Ramp(frames: 10)
        source.channelCount = 0
        let capture = AudioCapture(source: .program(source))
        await #expect(throws: DeviceError.unsupportedSetting(.channelCount(0))) { try await capture.start { _ in } }
    }
}
