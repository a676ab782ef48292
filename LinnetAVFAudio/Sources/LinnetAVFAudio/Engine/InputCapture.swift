// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioDevices
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation

/// Captures the default input for the input node's taps.
final class InputCapture {
    private let capture: AudioCapture

    /// The timeout for opening a device.
    private static let startTimeout = DispatchTimeInterval.seconds(30)

    /// Opens the input and waits until it is open.
    ///
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio`.
    init(_ node: AVAudioInputNode, _ makeCapture: (CaptureConfiguration, Bool) -> AudioCapture) throws {
        let format = node.format
        guard format.sampleRate > 0 else { throw NSError(avfaudio: kAudioUnitErr_FailedInitialization, "no audio input") }
        let capture = makeCapture(
            CaptureConfiguration(sampleRate: Int(format.sampleRate), channelCount: Int(format.channelCount)),
            node.isVoiceProcessingEnabled)
        self.capture = capture
        let receiver = TapReceiver(node, format)
        let outcome = StartOutcome()
        // Not on the shared thread pool: the caller blocks and may use its last thread.
        Task.detached(executorPreference: QueueExecutor.shared) {
            do throws(DeviceError) {
                try await capture.start { receiver.receive($0) }
            } catch {
                outcome.error = error
            }
            outcome.done.signal()
        }
        guard outcome.done.wait(timeout: .now() + Self.startTimeout) == .success else {
            capture.requestStop()
            throw NSError(avfaudio: kAudioUnitErr_FailedInitialization, "the audio input did not open in time")
        }
        if let error = outcome.error {
            throw NSError(avfaudio: kAudioUnitErr_FailedInitialization, String(describing: error), underlying: error)
        }
    }

    /// Stops the capture.
    ///
    /// A tap may still be running.
    func stop() { capture.requestStop() }

    /// The result of starting.
    ///
    /// One thread writes it before signaling the other.
    private final class StartOutcome: @unchecked Sendable {
        let done = DispatchSemaphore(value: 0)
        var error: DeviceError?
    }

    /// Passes captured audio to a node, on the capture's single thread.
    private final class TapReceiver: @unchecked Sendable {
        private weak var node: AVAudioInputNode?
        private let format: AVAudioFormat
        /// Converts audio if the device does not have the requested rate or channel count.
        private var converter: StreamConverter

        init(_ node: AVAudioInputNode, _ format: AVAudioFormat) {
            self.node = node
            self.format = format
            converter = StreamConverter(to: format)
        }

        func receive(_ audio: CapturedAudio) {
            guard let node, audio.frameCount > 0, let buffer = buffer(audio.pcmBuffer()) else { return }
            let time = AVAudioTime(
                hostTime: UInt64(max(0, audio.hostTime)), sampleTime: audio.time.value, atRate: Double(audio.sampleRate))
            guard buffer.format !== format else { return node.receive(buffer, at: time) }
            if let (converted, convertedTime) = converter.convert(buffer, at: time) { node.receive(converted, at: convertedTime) }
        }

        /// Returns audio in the device's format.
        private func buffer(_ samples: PCMBuffer) -> AVAudioPCMBuffer? {
            let captured =
                samples.sampleRate == Int(format.sampleRate) && samples.channelCount == Int(format.channelCount)
                ? format
                : AVAudioFormat(
                    standardFormatWithSampleRate: Double(samples.sampleRate), channels: AVAudioChannelCount(samples.channelCount))
            guard let captured,
                let buffer = AVAudioPCMBuffer(pcmFormat: captured, frameCapacity: AVAudioFrameCount(samples.frameCount))
            else { return nil }
            buffer.frameLength = buffer.frameCapacity
            buffer.store(samples, at: 0)
            return buffer
        }
    }
}

/// Runs tasks on a dedicated queue.
private final class QueueExecutor: TaskExecutor {
    static let shared = QueueExecutor()
    private let queue = DispatchQueue(label: "linnet.input.start")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Captured audio queued for mixers, at most one second.
struct CapturedQueue {
    private var channels: [[Float]] = []
    private var start = 0

    var frameCount: Int { (channels.first?.count ?? 0) - start }

    /// Appends audio.
    ///
    /// Drops the oldest audio beyond the limit.
    mutating func append(_ buffer: AVAudioPCMBuffer) {
        guard let data = buffer.floatChannelData else { return }
        let count = Int(buffer.format.channelCount)
        if channels.count != count { (channels, start) = (Array(repeating: [], count: count), 0) }
        for channel in 0..<count {
            channels[channel].append(contentsOf: UnsafeBufferPointer(start: data[channel], count: Int(buffer.frameLength)))
        }
        drop(max(0, frameCount - Int(buffer.format.sampleRate)))
    }

    /// Moves the oldest frames to the start of a silent buffer.
    mutating func remove(into buffer: AVAudioPCMBuffer) {
        guard let data = buffer.floatChannelData else { return }
        let count = min(frameCount, Int(buffer.frameLength))
        for channel in 0..<min(channels.count, Int(buffer.format.channelCount)) {
            for frame in 0..<count { data[channel][frame] = channels[channel][start + frame] }
        }
        drop(count)
    }

    /// Removes the oldest frames.
    private mutating func drop(_ count: Int) {
        start += count
        guard start >= 8192 else { return }
        for channel in channels.indices { channels[channel].removeFirst(start) }
        start = 0
    }
}
#endif
