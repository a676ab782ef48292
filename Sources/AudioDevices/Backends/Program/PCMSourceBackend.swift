// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Synchronization

/// Captures from a ``PCMSource`` of the program.
///
/// Loses no audio. Delivers 32-bit float samples with the source's sample rate and channel count.
package final class PCMSourceBackend: CaptureBackend {
    /// The maximum number of frames per write.
    private static let writeLength = 4096

    private let source: Mutex<any PCMSource>
    private let thread = Mutex<InputThread?>(nil)

    package init(_ source: any PCMSource) { self.source = Mutex(source) }

    package var kind: AudioBackendKind { .program }

    /// Returns the source as the only input.
    package func devices() throws(DeviceError) -> [AudioDevice] {
        var device = AudioDevice(backend: .program, id: "program", name: "program", direction: .input, isDefault: true)
        (device.sampleRate, device.channelCount) = source.withLock { ($0.sampleRate, $0.channelCount) }
        return [device]
    }

    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        let (rate, channels) = source.withLock { ($0.sampleRate, $0.channelCount) }
        guard (1_000...768_000).contains(rate) else { throw .unsupportedSetting(.sampleRate(rate)) }
        guard (1...32).contains(channels) else { throw .unsupportedSetting(.channelCount(channels)) }
        input.prepare(
            CaptureFormat(
                sampleRate: rate, pcm: PCMFormat(.float32, channelCount: channels),
                bufferFrames: max(1, configuration.bufferFrames(sampleRate: Double(rate))), device: "program", deviceName: "program",
                nativeSampleRate: rate), maximumWriteLength: Self.writeLength)
        let new = InputThread(label: "linnet.source") { [self] thread in read(into: input, on: thread) }
        thread.withLock { $0 = new }
    }

    /// Stops the thread after its current call of ``PCMSource/next()``, for which it waits at most 1 s.
    package func stop() { thread.removeValue()?.stop() }

    private func read(into input: CaptureInput, on thread: InputThread) {
        while !thread.isStopping {
            do {
                let buffer = try source.withLock { try $0.next() }
                if thread.isStopping { return }
                guard let buffer else { return input.report(.ended) }
                guard write(buffer, to: input, on: thread) else { return }
            } catch {
                return input.report(.failed(.source(description: String(describing: error))))
            }
        }
    }

    /// Writes a buffer in parts that fit into the queue.
    ///
    /// Returns false when the thread is stopped, or the channel count or sample rate does not match.
    private func write(_ buffer: PCMBuffer, to input: CaptureInput, on thread: InputThread) -> Bool {
        let channels = buffer.channelCount
        guard channels == input.format?.pcm.channelCount else {
            input.report(.failed(.source(description: "it returned a buffer of \(channels) channels")))
            return false
        }
        guard buffer.sampleRate == input.format?.sampleRate else {
            input.report(.failed(.source(description: "it returned a buffer at \(buffer.sampleRate) Hz")))
            return false
        }
        let samples = buffer.interleaved
        let step = Self.writeLength * channels
        for start in stride(from: 0, to: samples.count, by: step) {
            let part = start..<min(start + step, samples.count)
            guard thread.waitForRoom(in: input, byteCount: part.count * 4) else { return false }
            samples.withSpan { input.write($0.extracting(part).bytes, hostTime: 0) }
        }
        return true
    }
}
