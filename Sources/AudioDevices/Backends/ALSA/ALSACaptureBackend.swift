// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import SystemLibrary
internal import Synchronization

/// Captures from ALSA directly, for machines without a sound server.
///
/// The default device is ALSA's `default`. ALSA's `plug` layer converts sample formats that a device doesn't support if the name requests it,
/// as in `plughw:0`.
public final class ALSACaptureBackend: CaptureBackend {
    /// The sample rate in hertz of a configuration without one.
    private static let defaultSampleRate = 48_000

    private let reader = Mutex<ALSAReader?>(nil)

    /// Creates a backend.
    public init() {}

    /// ALSA.
    public var kind: AudioBackendKind { .alsa }

    /// Returns the devices of ALSA's configuration; sample rates and channel counts aren't known before a device is open.
    public func devices() throws(DeviceError) -> [AudioDevice] { try ALSADevice.devices() }

    /// Opens the device and starts a thread that reads it.
    public func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        let selected = configuration.selectedChannels
        let request = ALSADevice.Request(
            name: configuration.device ?? "default", isCapture: true, format: configuration.sampleFormat,
            sampleRate: configuration.sampleRate ?? Self.defaultSampleRate,
            channelCount: selected.map { ($0.max() ?? 0) + 1 } ?? configuration.channelCount ?? 2,
            periodDuration: configuration.bufferDuration.inSeconds)
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

    /// Stops the thread and closes the device.
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
    // Used by the thread only once it runs.
    private let device: ALSADevice
    private let format: CaptureFormat
    private let input: CaptureInput
    private let thread = InputThread()

    /// Creates a reader of an open device.
    init(_ device: ALSADevice, sampleFormat: SampleFormat, name: String, input: CaptureInput) {
        self.device = device
        self.input = input
        format = CaptureFormat(
            sampleRate: device.sampleRate, pcm: PCMFormat(sampleFormat, channelCount: device.channelCount),
            bufferFrames: device.periodFrames, device: name, deviceName: name, nativeSampleRate: device.sampleRate)
    }

    /// Starts the device and the thread.
    func run() throws(DeviceError) {
        try device.check(.startStream, device.alsa.pointee.snd_pcm_start(device.handle))
        input.prepare(format)
        thread.run(label: "linnet.alsa") { [self] _ in
            read()
            device.close()
        }
    }

    /// Stops the thread, which closes the device.
    func stop() { thread.stop() }

    /// Reads the device until it fails or the thread is stopped.
    private func read() {
        let alsa = device.alsa
        var buffer = [UInt8](repeating: 0, count: device.periodFrames * format.pcm.bytesPerFrame)
        while !thread.isStopping {
            // A short wait: a device that delivers nothing must not delay a stop.
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

    /// Writes captured frames with their host time.
    private func write(_ buffer: [UInt8], frames: Int) {
        var waiting = 0
        let hasTiming = device.alsa.pointee.snd_pcm_delay(device.handle, &waiting) >= 0
        let age = HostClock.nanoseconds(ofFrames: frames + max(waiting, 0), sampleRate: format.sampleRate)
        let bytes = buffer.span.bytes.extracting(..<(frames * format.pcm.bytesPerFrame))
        input.write(bytes, hostTime: hasTiming ? HostClock.now - age : 0)
    }

    /// Restarts the device after an overrun of the kernel's buffer or a sleep of the machine; returns false if the device is gone.
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
