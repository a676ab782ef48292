// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Synchronization

/// The pace of reading a file instead of a device.
public enum CapturePace: Hashable, Sendable {
    /// In real time, like a device.
    case realTime
    /// Limited only by the receiver, without losses.
    case unpaced
}

/// Captures from a headerless file or pipe of interleaved PCM.
///
/// The configuration's sample rate, channel count and sample format describe the file (default: 48 kHz, one channel).
package final class FileCaptureBackend: CaptureBackend {
    /// The sample rate if the configuration sets none, in hertz.
    private static let defaultSampleRate = 48_000

    private let path: String
    private let pace: CapturePace
    private let thread = Mutex<InputThread?>(nil)

    /// Creates a backend.
    ///
    /// - Parameter path: The file path; `-` for standard input.
    package init(path: String, pace: CapturePace = .realTime) {
        self.path = path
        self.pace = pace
    }

    package var kind: AudioBackendKind { .file }

    /// Returns the file as the only input.
    package func devices() throws(DeviceError) -> [AudioDevice] {
        [AudioDevice(backend: .file, id: path, name: path, direction: .input, isDefault: true)]
    }

    /// Opens the file and starts a thread that reads it.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        let file = try PCMInputFile(path: path)
        let rate = configuration.sampleRate ?? Self.defaultSampleRate
        let channels = (configuration.selectedChannels?.max()).map { $0 + 1 } ?? 1
        let pcm = PCMFormat(configuration.sampleFormat, channelCount: configuration.channelCount ?? channels)
        let format = CaptureFormat(
            sampleRate: rate, pcm: pcm, bufferFrames: max(1, configuration.bufferFrames(sampleRate: Double(rate))), device: path,
            deviceName: path, nativeSampleRate: rate)
        input.prepare(format, maximumWriteLength: format.bufferFrames)
        let new = InputThread(label: "linnet.file") { [pace] thread in
            FileReader(file: file, format: format, pace: pace, input: input, thread: thread).run()
        }
        thread.withLock { $0 = new }
    }

    package func stop() { thread.removeValue()?.stop() }
}

/// The reading loop of a file thread.
private struct FileReader {
    let file: PCMInputFile
    let format: CaptureFormat
    let pace: CapturePace
    let input: CaptureInput
    let thread: InputThread

    func run() {
        let start = HostClock.now
        let frameSize = format.pcm.bytesPerFrame
        var buffer = [UInt8](repeating: 0, count: format.bufferFrames * frameSize)
        var position = 0
        while !thread.isStopping {
            let count: Int
            do throws(DeviceError) {
                count = try file.fill(&buffer) { !thread.isStopping }
            } catch {
                return input.report(.failed(error))
            }
            guard count >= frameSize else { return input.report(.ended) }
            let captureTime = start + HostClock.nanoseconds(ofFrames: position, sampleRate: format.sampleRate)
            position += count / frameSize
            let due = start + HostClock.nanoseconds(ofFrames: position, sampleRate: format.sampleRate)
            guard wait(until: due, byteCount: count) else { return }
            let byteCount = count / frameSize * frameSize
            buffer.withSpan { input.write($0.bytes.extracting(..<byteCount), hostTime: pace == .realTime ? captureTime : 0) }
        }
    }

    /// Waits until the host time `due` in nanoseconds or until the audio fits.
    ///
    /// Returns false when the thread is stopped.
    private func wait(until due: Int64, byteCount: Int) -> Bool {
        guard pace == .realTime else { return thread.waitForRoom(in: input, byteCount: byteCount) }
        while HostClock.now < due {
            if !thread.sleep(seconds: Double(due - HostClock.now) / 1e9) { return false }
        }
        return !thread.isStopping
    }
}
