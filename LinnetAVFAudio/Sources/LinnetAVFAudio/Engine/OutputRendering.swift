// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioDevices
internal import CLinnetAudioTypes
internal import Foundation
internal import Synchronization

/// Renders an engine's graph to a device, on a dedicated thread.
final class OutputRendering: Sendable {
    /// The number of frames rendered at a time.
    private static let blockLength = 480
    /// The device's buffer duration.
    private static let bufferDuration = Duration.milliseconds(60)

    /// The timeout for draining the buffer.
    private static let drainTimeout = Duration.milliseconds(500)

    private let isStopping = Atomic<Bool>(false)
    private let drains = Atomic<Bool>(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Opens the device and starts rendering.
    ///
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio`.
    init(_ engine: AVAudioEngine, _ open: (PlaybackConfiguration) throws -> any PlaybackBackend) throws {
        let format = engine.mixingFormat
        var configuration = PlaybackConfiguration(sampleRate: Int(format.sampleRate), channelCount: Int(format.channelCount))
        configuration.bufferDuration = Self.bufferDuration
        let device: any PlaybackBackend
        do {
            device = try open(configuration)
        } catch {
            throw NSError(avfaudio: kAudioUnitErr_FailedInitialization, String(describing: error), underlying: error)
        }
        // Only the thread uses the device. The engine and its nodes lock shared state.
        nonisolated(unsafe) let owned = device
        nonisolated(unsafe) weak let weakEngine = engine
        let thread = Thread { [self] in run(owned) { weakEngine } }
        thread.name = "linnet.engine"
        thread.start()
    }

    /// Stops and waits for the thread, unless called on it.
    ///
    /// - Parameter drains: Whether to play all rendered audio first.
    func stop(drains: Bool = false) {
        if drains { self.drains.store(true, ordering: .relaxed) }
        isStopping.store(true, ordering: .releasing)
        guard Thread.current.name != "linnet.engine" else { return }
        ended.wait()
        ended.signal()
    }

    /// Renders until the engine stops or is released, or the device fails.
    private func run(_ device: any PlaybackBackend, _ engine: () -> AVAudioEngine?) {
        var hasFailed = false
        while !hasFailed, !isStopping.load(ordering: .acquiring), let engine = engine() {
            // A thread that holds the lock may be waiting for this one to end.
            guard engine.renderLock.lock(before: Date(timeIntervalSinceNow: 0.01)) else { continue }
            let block = render(engine, waitingFrameCount: device.waitingFrameCount)
            engine.renderLock.unlock()
            hasFailed = !write(block.interleavedSamples, to: device)
        }
        if !hasFailed, drains.load(ordering: .relaxed) { device.drain(timeout: Self.drainTimeout) } else { device.flush() }
        device.close()
        ended.signal()
        if hasFailed { engine()?.failDevice(of: self) }
    }

    /// Renders the next frames.
    ///
    /// Their host time is when the device will play them.
    private func render(_ engine: AVAudioEngine, waitingFrameCount: Int) -> AVAudioPCMBuffer {
        let rate = engine.mixingFormat.sampleRate
        let host = DispatchTime.now().uptimeNanoseconds + UInt64(Double(waitingFrameCount) / rate * 1e9)
        let time = AVAudioTime(hostTime: host, sampleTime: engine.advance(by: Self.blockLength), atRate: rate)
        return engine.outputNode.pull(Self.blockLength, at: time)
    }

    /// Writes all samples, or fewer if the engine stops without draining.
    ///
    /// Returns false if the device fails.
    private func write(_ samples: [Float], to device: any PlaybackBackend) -> Bool {
        var done = 0
        while done < samples.count * 4 {
            let stops = isStopping.load(ordering: .acquiring)
            if stops, !drains.load(ordering: .relaxed) { break }
            do {
                let count = try device.write(samples.span.bytes.extracting(done...), timeout: .milliseconds(100))
                // A blocked device must not delay the end.
                if stops, count == 0 { break }
                done += count
            } catch {
                return false
            }
        }
        return true
    }
}

extension AVAudioPCMBuffer {
    package var interleavedSamples: [Float] {
        guard let data = floatChannelData else { return [] }
        let channelCount = Int(format.channelCount)
        var result = [Float](repeating: 0, count: channelCount * Int(frameLength))
        for channel in 0..<channelCount {
            for frame in 0..<Int(frameLength) { result[frame * channelCount + channel] = data[channel][frame * stride] }
        }
        return result
    }
}
#endif
