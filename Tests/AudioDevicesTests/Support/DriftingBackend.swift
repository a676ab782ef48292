// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization

/// A device whose clock differs from the server's: captures a mono source, and delivers more or fewer frames per second.
///
/// Interpolates linearly, which delays no frame by more than one.
final class DriftingBackend: SystemCaptureBackend {
    /// The samples of the device.
    private struct Resampler {
        let step: Double
        /// The position of the next output frame, in input frames after the next input.
        private var position = 0.0
        private var latest: Float = 0

        init(speed: Double) { step = 1 / speed }

        mutating func process(_ input: [Float]) -> [Float] {
            var output: [Float] = []
            output.reserveCapacity(input.count + 2)
            while position < Double(input.count) {
                // The frame at position 0 lies between the latest input and the next one.
                let index = Int(position)
                let fraction = Float(position - Double(index))
                let previous = index == 0 ? latest : input[index - 1]
                output.append(previous + (input[index] - previous) * fraction)
                position += step
            }
            position -= Double(input.count)
            latest = input.last ?? latest
            return output
        }
    }

    private let capture: AudioCapture
    private let state: Mutex<(resampler: Resampler, input: CaptureInput?, skipped: Int)>

    var kind: AudioBackendKind { .pulseAudio }
    /// As with the server, whose audio arrives regularly.
    var hasReliableArrivalTimes: Bool { true }

    /// Starts capturing.
    ///
    /// - Parameters:
    ///   - speed: The speed of the device's clock.
    ///   - delay: The time after which the device delivers its first audio, in seconds.
    init(_ configuration: CaptureConfiguration, server: SoundServer, speed: Double, delay: Double = 0) async throws {
        let rate = Double(configuration.sampleRate ?? 48_000)
        capture = AudioCapture(configuration, source: .pulseAudio(server: server.address))
        state = Mutex((Resampler(speed: speed), nil, Int(delay * rate)))
        try await capture.start { [weak self] in self?.deliver($0) }
    }

    func close() async { await capture.stop() }

    func devices() -> [AudioDevice] { [] }

    func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        guard let format = capture.format else { throw .cancelled }
        input.prepare(
            CaptureFormat(
                sampleRate: format.sampleRate, pcm: PCMFormat(.float32, channelCount: 1), bufferFrames: format.bufferFrames,
                device: "drifting", deviceName: "drifting"))
        state.withLock { $0.input = input }
    }

    func stop() { state.withLock { $0.input = nil } }

    private func deliver(_ audio: CapturedAudio) {
        state.withLock { state in
            guard let input = state.input else { return }
            state.skipped -= audio.frameCount
            guard state.skipped < 0 else { return }
            let samples = state.resampler.process(audio.pcmBuffer().channel(0))
            input.write(samples.span.bytes, hostTime: 0)
        }
    }
}
