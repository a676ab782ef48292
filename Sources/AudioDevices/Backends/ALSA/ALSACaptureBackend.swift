// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import SystemLibrary
internal import Synchronization

/// Captures directly from ALSA, for machines without a sound server.
///
/// The default device is ALSA's `default`. ALSA's `plug` layer converts sample formats that a device does not support if the device name
/// requests it, as in `plughw:0`.
package final class ALSACaptureBackend: CaptureBackend {
    /// The sample rate if the configuration sets none, in hertz.
    private static let defaultSampleRate = 48_000

    private let thread = Mutex<InputThread?>(nil)

    package init() {}

    package var kind: AudioBackendKind { .alsa }

    /// Returns the devices in ALSA's configuration.
    ///
    /// Sample rates and channel counts are unknown until a device is opened.
    package func devices() throws(DeviceError) -> [AudioDevice] { try ALSADevice.devices() }

    /// Opens the device and starts a thread that reads it.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        if PlayedAudio(configuration.device) != nil { throw .programAudioUnsupported(.alsa) }
        let selected = configuration.selectedChannels
        let request = ALSADevice.Request(
            name: configuration.device, direction: .input, format: configuration.sampleFormat,
            sampleRate: configuration.sampleRate ?? Self.defaultSampleRate,
            channelCount: selected.map { ($0.max() ?? 0) + 1 } ?? configuration.channelCount ?? 2,
            periodDuration: configuration.bufferDuration.inSeconds)
        let device = try ALSADevice(request)
        do {
            try device.check(.startStream, device.alsa.pointee.snd_pcm_start(device.handle))
        } catch {
            device.close()
            throw error
        }
        let format = CaptureFormat(
            sampleRate: device.sampleRate, pcm: PCMFormat(configuration.sampleFormat, channelCount: device.channelCount),
            bufferFrames: device.periodFrames, device: device.name, deviceName: device.name, nativeSampleRate: device.sampleRate)
        input.prepare(format)
        let new = InputThread(label: "linnet.alsa") { thread in
            ALSAReader(device: device, format: format, input: input, thread: thread).run()
            device.close()
        }
        thread.withLock { $0 = new }
    }

    package func stop() { thread.removeValue()?.stop() }
}

/// The reading loop of a device thread.
private struct ALSAReader {
    let device: ALSADevice
    let format: CaptureFormat
    let input: CaptureInput
    let thread: InputThread

    func run() {
        let alsa = device.alsa
        var buffer = [UInt8](repeating: 0, count: device.periodFrames * format.pcm.bytesPerFrame)
        while !thread.isStopping {
            // A short timeout, so that a silent device does not delay a stop.
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

    /// Restarts the device after an overrun or a system sleep.
    ///
    /// Returns false if the device is gone.
    private func recover(from code: Int32) -> Bool {
        if code == -EAGAIN || code == -EINTR { return true }
        input.writeBreak()
        if code == -EPIPE || code == -ESTRPIPE,
            device.alsa.pointee.snd_pcm_recover(device.handle, code, 1) >= 0, device.alsa.pointee.snd_pcm_start(device.handle) >= 0
        {
            return true
        }
        switch code {
        case -ENODEV: input.report(.deviceLost)
        // Some drivers have lost their settings after a system sleep, so that the device must be reopened.
        case -ESTRPIPE, -EBADFD: input.report(.interrupted(.deviceSuspended))
        default: input.report(.failed(.failed(.readStream, .alsa, code: code)))
        }
        return false
    }
}
#endif
