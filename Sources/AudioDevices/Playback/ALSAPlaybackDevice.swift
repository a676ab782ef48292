// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import Glibc

/// Playing straight to ALSA, for machines without a sound server.
final class ALSAPlaybackDevice: PlaybackDevice {
    private let device: ALSADevice
    private let frameSize: Int
    private var isClosed = false
    private var pauses = false

    init(_ configuration: PlaybackConfiguration) throws(DeviceError) {
        let request = ALSADevice.Request(
            name: configuration.device ?? "default", isCapture: false, format: configuration.pcm.sampleFormat,
            sampleRate: configuration.sampleRate, channelCount: configuration.pcm.channelCount,
            bufferDuration: configuration.bufferDuration / 4)
        do {
            device = try ALSADevice(request)
        } catch .failed(.openDevice, .alsa, code: -ENOENT) {
            let outputs = try ALSADevice.devices().filter { $0.direction == .output }
            guard !outputs.isEmpty || configuration.device != nil else { throw .noDevice(.alsa, .output) }
            throw .deviceNotFound(request.name, available: outputs.map(\.id))
        }
        frameSize = configuration.pcm.bytesPerFrame
        // Another rate would be another pitch: nothing here resamples.
        guard device.sampleRate == configuration.sampleRate, device.channelCount == configuration.pcm.channelCount else {
            device.close()
            throw .unsupportedSetting(
                device.sampleRate == configuration.sampleRate
                    ? .channelCount(configuration.pcm.channelCount) : .sampleRate(configuration.sampleRate))
        }
    }

    deinit { close() }

    func write(_ bytes: UnsafeRawBufferPointer, waiting seconds: Double) throws(DeviceError) -> Int {
        let alsa = device.alsa
        let count = snd_pcm_uframes_t(min(bytes.count / frameSize, device.periodFrames))
        guard !pauses, alsa.pointee.snd_pcm_wait(device.handle, Int32(seconds * 1000)) != 0 else { return 0 }
        let written = alsa.pointee.snd_pcm_writei(device.handle, bytes.baseAddress, count)
        if written >= 0 { return written * frameSize }
        let code = Int32(written)
        if code == -EAGAIN || code == -EINTR { return 0 }
        try device.check(.writeStream, alsa.pointee.snd_pcm_recover(device.handle, code, 1))
        return 0
    }

    var waitingFrameCount: Int {
        var frames = 0
        return device.alsa.pointee.snd_pcm_delay(device.handle, &frames) >= 0 ? max(0, frames) : 0
    }

    var isPaused: Bool {
        get { pauses }
        set {
            guard newValue != pauses else { return }
            pauses = newValue
            // Many devices can't hold: what waits is dropped.
            if newValue { flush() }
        }
    }

    var isInterrupted: Bool { false }

    func flush() {
        _ = device.alsa.pointee.snd_pcm_drop(device.handle)
        _ = device.alsa.pointee.snd_pcm_prepare(device.handle)
    }

    func drain(waiting seconds: Double) { _ = device.alsa.pointee.snd_pcm_drain(device.handle) }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        device.close()
    }
}
#endif
