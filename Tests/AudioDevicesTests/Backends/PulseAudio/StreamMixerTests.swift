// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AudioDevices
import AudioPrimitives
import Synchronization
import TestSupport
import Testing

@Suite struct StreamMixerTests {
    /// A mixer whose sum is captured.
    private final class Mix: Sendable {
        let capture: AudioCapture
        let record: CaptureRecord
        nonisolated(unsafe) let mixer: StreamMixer
        let format: SampleFormat

        init(_ format: SampleFormat = .int16) async throws {
            self.format = format
            let backend = ScriptedBackend()
            capture = .scripted(backend) { $0.sampleFormat = format }
            let record = CaptureRecord(capture)
            self.record = record
            try await capture.start { record.take($0) }
            let input = try #require(backend.input)
            let shape = CaptureFormat(
                sampleRate: 48_000, pcm: PCMFormat(format, channelCount: 1), bufferFrames: 480, device: "", deviceName: "")
            mixer = StreamMixer(shape, bufferDuration: .milliseconds(10), input)
        }

        /// Adds samples, given as bytes of the format.
        func accept<Sample>(_ number: Int, _ samples: [Sample]) {
            samples.withUnsafeBytes {
                mixer.accept(number, $0.baseAddress, byteCount: $0.count, hostTime: 0, arrival: HostClock.now)
            }
        }

        /// Returns the captured samples once there are enough frames.
        func samples(_ count: Int) async -> [Int16] {
            #expect(await Wait.until { self.record.frames >= count })
            await capture.stop()
            return record.samples
        }
    }

    @Test("Single stream passes unchanged; a second one is added from its start to its end")
    func sum() async throws {
        let mix = try await Mix()
        mix.mixer.add(1)
        mix.accept(1, [Int16](repeating: 1, count: 100))
        mix.mixer.add(2)
        mix.accept(2, [Int16](repeating: 10, count: 50))
        mix.accept(1, [Int16](repeating: 1, count: 70))
        mix.accept(2, [Int16](repeating: 10, count: 10))
        mix.mixer.remove(2)
        mix.accept(1, [Int16](repeating: 1, count: 30))
        let expected = [(1, 100), (11, 60), (1, 40)].flatMap { [Int16](repeating: $0.0, count: $0.1) }
        #expect(await mix.samples(200) == expected)
    }

    @Test("Stream that stops delivering delays the others by a quarter of a second at most, and joins again")
    func lag() async throws {
        let mix = try await Mix()
        for number in [1, 2] { mix.mixer.add(number) }
        mix.accept(1, [Int16](repeating: 1, count: 480))
        mix.accept(2, [Int16](repeating: 10, count: 480))
        for _ in 0..<50 { mix.accept(1, [Int16](repeating: 1, count: 480)) }
        mix.accept(2, [Int16](repeating: 10, count: 480))
        mix.accept(1, [Int16](repeating: 1, count: 480))
        let expected = [(1, 480), (11, 480), (1, 49 * 480), (11, 480)].flatMap { [Int16](repeating: $0.0, count: $0.1) }
        #expect(await mix.samples(52 * 480) == expected)
    }

    @Test("Sums of integers are clipped")
    func clipping() async throws {
        let mix = try await Mix()
        for number in [1, 2] { mix.mixer.add(number) }
        mix.accept(1, [Int16]([0]))
        mix.accept(2, [Int16]([30_000, -30_000, 7]))
        mix.accept(1, [Int16]([10_000, -10_000, -8]))
        #expect(await mix.samples(4) == [0, 32_767, -32_768, -1])
    }

    @Test("Adds 24-bit integers, 32-bit integers and floating point")
    func formats() async throws {
        let packed = try await Mix(.int24)
        for number in [1, 2] { packed.mixer.add(number) }
        packed.accept(1, [UInt8]([0, 0, 0]))
        packed.accept(2, [UInt8]([1, 0, 0x80, 0xFF, 0xFF, 0x7F, 0xFE, 0xFF, 0xFF]))
        packed.accept(1, [UInt8]([0xFE, 0xFF, 0xFF, 1, 0, 0, 5, 0, 0]))
        #expect(await Wait.until { packed.record.frames == 4 })
        await packed.capture.stop()
        #expect(packed.record.contents.withLock { $0.bytes } == [0, 0, 0, 0, 0, 0x80, 0xFF, 0xFF, 0x7F, 3, 0, 0])
        let float = try await Mix(.float32)
        for number in [1, 2] { float.mixer.add(number) }
        float.accept(1, [Float]([0]))
        float.accept(2, [Float]([0.75, -0.5]))
        float.accept(1, [Float]([0.5, 0.25]))
        #expect(await Wait.until { float.record.frames == 3 })
        await float.capture.stop()
        #expect(float.record.floats == [0, 1.25, -0.25])
    }
}
#endif
