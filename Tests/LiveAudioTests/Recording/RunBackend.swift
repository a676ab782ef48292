// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Dispatch
import Synchronization

/// A backend that delivers prepared runs of 16-bit samples as fast as they are read, then ends.
final class RunBackend: CaptureBackend {
    /// An opening: a format, and the runs delivered before the device is lost or ends.
    struct Opening: Sendable {
        var sampleRate = 48_000
        var channelCount = 1
        var runs: [[Int16]]
        var waits = false
        /// The host time of the first frame, in nanoseconds; 0 if the device measures none.
        var hostTime: Int64 = 0
    }

    private let openings: [Opening]
    private let state = Mutex<(number: Int, work: DispatchGroup)>((0, DispatchGroup()))
    private let isStopped = Atomic<Bool>(false)

    init(_ openings: [Opening]) { self.openings = openings }

    var kind: AudioBackendKind { .file }
    func devices() -> [AudioDevice] { [] }

    func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        isStopped.store(false, ordering: .releasing)
        let (number, group) = state.withLock { state in
            defer { state.number += 1 }
            return (state.number, state.work)
        }
        let opening = openings[min(number, openings.count - 1)]
        let isLast = number >= openings.count - 1
        input.prepare(
            CaptureFormat(
                sampleRate: opening.sampleRate, pcm: PCMFormat(.int16, channelCount: opening.channelCount), bufferFrames: 480,
                device: "runs", deviceName: "runs"))
        DispatchQueue.global().async(group: group) { [self] in
            var frameCount = 0
            for run in opening.runs {
                while !input.hasRoom(forByteCount: run.count * 2) {
                    if isStopped.load(ordering: .acquiring) { return }
                    usleep(1000)
                }
                let elapsed = Int64(frameCount) * 1_000_000_000 / Int64(opening.sampleRate)
                input.write(run.span.bytes, hostTime: opening.hostTime == 0 ? 0 : opening.hostTime + elapsed)
                frameCount += run.count / opening.channelCount
            }
            if !opening.waits { input.report(isLast ? .ended : .serverLost) }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        state.withLock { $0.work }.wait()
    }
}

private func usleep(_ microseconds: Int) { DispatchSemaphore(value: 0).waits(microseconds: microseconds) }

extension DispatchSemaphore {
    fileprivate func waits(microseconds: Int) { _ = wait(timeout: .now() + .microseconds(microseconds)) }
}
