// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Recording straight from ALSA, for machines without a sound server.
///
/// The default device is ALSA's `default`. Sample formats that a device lacks are converted by ALSA's `plug` layer where its name asks
/// for that, as in `plughw:0`.
public final class ALSACaptureBackend: CaptureBackend {
    private static let defaultRate = 48_000

    private let reader = Mutex<ALSAReader?>(nil)

    /// Makes a backend.
    public init() {}

    /// ALSA.
    public var kind: AudioBackendKind { .alsa }

    /// Every device that ALSA's configuration offers; rates and channels are only known once a device is open.
    public func devices() throws(DeviceError) -> [AudioDevice] { try ALSADevice.devices() }

    /// Opens the device and reads it on a thread of its own.
    public func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        let selected = configuration.selectedChannels
        let request = ALSADevice.Request(
            name: configuration.device ?? "default", isCapture: true, format: configuration.sampleFormat,
            sampleRate: configuration.sampleRate ?? Self.defaultRate,
            channelCount: selected.map { ($0.max() ?? 0) + 1 } ?? configuration.channelCount ?? 2,
            bufferDuration: configuration.bufferDuration)
        let device: ALSADevice
        do {
            device = try ALSADevice(request)
        } catch .failed(.openDevice, .alsa, code: -ENOENT) {
            let inputs = try devices().filter { $0.direction == .input }
            guard !inputs.isEmpty || configuration.device != nil else { throw .noDevice(.alsa, .input) }
            throw .deviceNotFound(request.name, available: inputs.map(\.id))
        }
        if let selected, selected.contains(where: { $0 >= device.channelCount }) {
            device.close()
            throw .unsupportedSetting(.selectedChannels(selected))
        }
        let new = ALSAReader(device, sampleFormat: configuration.sampleFormat, name: request.name, input: input)
        do {
            try new.run()
        } catch {
            device.close()
            throw error
        }
        reader.withLock { $0 = new }
    }

    /// Ends reading and closes the device.
    public func stop() {
        let old = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        old?.stop()
    }
}

/// The thread that reads an ALSA device.
private final class ALSAReader: @unchecked Sendable {
    private let device: ALSADevice
    private let format: CaptureFormat
    private let input: CaptureInput
    private let isStopped = Atomic<Bool>(false)
    private let finished = DispatchGroup()

    init(_ device: ALSADevice, sampleFormat: SampleFormat, name: String, input: CaptureInput) {
        self.device = device
        self.input = input
        format = CaptureFormat(
            sampleRate: device.sampleRate, pcm: PCMFormat(sampleFormat, channelCount: device.channelCount),
            bufferFrames: device.periodFrames, device: name, deviceName: name, nativeSampleRate: device.sampleRate)
    }

    func run() throws(DeviceError) {
        try device.check(.startStream, device.alsa.pointee.snd_pcm_start(device.handle))
        input.prepare(format)
        finished.enter()
        DispatchQueue(label: "linnet.alsa", qos: .userInteractive).async { [self] in
            read()
            device.close()
            finished.leave()
        }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        finished.wait()
    }

    private func read() {
        let alsa = device.alsa
        var buffer = [UInt8](repeating: 0, count: device.periodFrames * format.pcm.bytesPerFrame)
        while !isStopped.load(ordering: .acquiring) {
            // Never waits for long: a device that gives nothing must not keep the stop waiting.
            let ready = alsa.pointee.snd_pcm_wait(device.handle, 100)
            if ready == 0 { continue }
            var frames = Int(ready)
            if ready > 0 {
                frames = buffer.withUnsafeMutableBytes { bytes in
                    alsa.pointee.snd_pcm_readi(device.handle, bytes.baseAddress, snd_pcm_uframes_t(device.periodFrames))
                }
            }
            if frames >= 0 {
                write(buffer, frames: frames)
            } else if !recover(from: Int32(frames)) {
                return
            }
        }
    }

    private func write(_ buffer: [UInt8], frames: Int) {
        var waiting = 0
        let hasTiming = device.alsa.pointee.snd_pcm_delay(device.handle, &waiting) >= 0
        let age = HostClock.nanoseconds(ofFrames: frames + max(waiting, 0), sampleRate: format.sampleRate)
        buffer.withUnsafeBytes { bytes in
            let frames = UnsafeRawBufferPointer(rebasing: bytes[..<(frames * format.pcm.bytesPerFrame)])
            input.write(frames, hostTime: hasTiming ? HostClock.now - age : 0)
        }
    }

    /// Starts again after the kernel's buffer ran over or the machine slept; false when the device is gone.
    private func recover(from code: Int32) -> Bool {
        if code == -EAGAIN || code == -EINTR { return true }
        input.writeBreak()
        if code == -EPIPE || code == -ESTRPIPE,
            device.alsa.pointee.snd_pcm_recover(device.handle, code, 1) >= 0, device.alsa.pointee.snd_pcm_start(device.handle) >= 0
        {
            return true
        }
        input.report(code == -ENODEV ? .deviceLost : .failed(.failed(.readStream, .alsa, code: code)))
        return false
    }
}
#endif
