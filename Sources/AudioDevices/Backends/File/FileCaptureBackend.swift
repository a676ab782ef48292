// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file or pipe of interleaved PCM without a header, in place of a device.
///
/// The configuration's rate, channel count and sample format say what it holds; by default 48 kHz and one channel.
public final class FileCaptureBackend: CaptureBackend {
    /// How fast the file is read.
    public enum Pace: Hashable, Sendable {
        /// As a device would give it.
        case realTime
        /// As fast as it is taken; nothing is ever lost.
        case unpaced
    }

    private static let defaultRate = 48_000

    private let path: String
    private let pace: Pace
    private let reader = Mutex<FileReader?>(nil)

    /// Makes a backend that reads the file at `path`; `-` is standard input.
    public init(path: String, pace: Pace = .realTime) {
        self.path = path
        self.pace = pace
    }

    /// A file in place of a device.
    public var kind: AudioBackendKind { .file }

    /// The file as the only input.
    public func devices() throws(DeviceError) -> [AudioDevice] {
        [AudioDevice(backend: .file, id: path, name: path, direction: .input, isDefault: true)]
    }

    /// Opens the file and reads it on a thread of its own.
    public func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, code: errno) }
        let rate = configuration.sampleRate ?? Self.defaultRate
        let channels = (configuration.selectedChannels?.max()).map { $0 + 1 } ?? 1
        let pcm = PCMFormat(configuration.sampleFormat, channelCount: configuration.channelCount ?? channels)
        let format = CaptureFormat(
            sampleRate: rate, pcm: pcm, bufferFrames: max(1, Int(configuration.bufferDuration * Double(rate))), device: path,
            deviceName: path, nativeSampleRate: rate)
        input.prepare(format)
        let new = FileReader(descriptor: descriptor, format: format, pace: pace, input: input)
        reader.withLock { $0 = new }
        new.run()
    }

    /// Ends reading.
    public func stop() {
        let old = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        old?.stop()
    }
}

/// The thread that reads a file for a capture.
private final class FileReader: Sendable {
    private static let pause: Double = 0.002

    private let descriptor: Int32
    private let format: CaptureFormat
    private let pace: FileCaptureBackend.Pace
    private let input: CaptureInput
    private let isStopped = Atomic<Bool>(false)
    private let stopSignal = DispatchSemaphore(value: 0)
    private let finished = DispatchGroup()

    init(descriptor: Int32, format: CaptureFormat, pace: FileCaptureBackend.Pace, input: CaptureInput) {
        self.descriptor = descriptor
        self.format = format
        self.pace = pace
        self.input = input
    }

    func run() {
        finished.enter()
        DispatchQueue(label: "linnet.file", qos: .userInteractive).async { [self] in
            read()
            close(descriptor)
            finished.leave()
        }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        stopSignal.signal()
        finished.wait()
    }

    private func read() {
        let start = HostClock.now
        let frameSize = format.pcm.bytesPerFrame
        var buffer = [UInt8](repeating: 0, count: format.bufferFrames * frameSize)
        var position = 0
        while !isStopped.load(ordering: .acquiring) {
            let count = fill(&buffer)
            guard count >= 0 else { return input.report(.failed(.file(path: format.device, code: errno))) }
            guard count >= frameSize else { return input.report(.ended) }
            let heard = start + HostClock.nanoseconds(ofFrames: position, sampleRate: format.sampleRate)
            position += count / frameSize
            let due = start + HostClock.nanoseconds(ofFrames: position, sampleRate: format.sampleRate)
            guard wait(until: due, byteCount: count) else { return }
            buffer.withUnsafeBytes { bytes in
                let frames = UnsafeRawBufferPointer(rebasing: bytes[..<(count / frameSize * frameSize)])
                input.write(frames, hostTime: pace == .realTime ? heard : 0)
            }
        }
    }

    /// Reads until the buffer is full or the file ends; -1 for an error.
    private func fill(_ buffer: inout [UInt8]) -> Int {
        var count = 0
        while count < buffer.count, !isStopped.load(ordering: .acquiring) {
            // A pipe may never say anything: look at the flag now and then.
            var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&question, 1, 50) != 0 else { continue }
            let got = buffer.withUnsafeMutableBytes { bytes in
                #if canImport(Glibc)
                Glibc.read(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
                #else
                Darwin.read(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
                #endif
            }
            if got < 0, errno == EINTR { continue }
            if got < 0 { return -1 }
            if got == 0 { break }
            count += got
        }
        return count
    }

    /// Waits for the time, or for room; false when stopped.
    private func wait(until time: Int64, byteCount: Int) -> Bool {
        while pace == .realTime ? HostClock.now < time : !input.hasRoom(forByteCount: byteCount) {
            let rest = pace == .realTime ? Double(time - HostClock.now) / 1e9 : Self.pause
            if stopSignal.wait(timeout: .now() + max(rest, 0)) == .success { return false }
        }
        return !isStopped.load(ordering: .acquiring)
    }
}
