// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import SystemLibrary

/// Plays directly to ALSA, for machines without a sound server.
final class ALSAPlaybackBackend: PlaybackBackend {
    private let device: ALSADevice
    private let frameSize: Int
    private var isClosed = false
    private var isPausedByProgram = false

    /// Opens a device.
    ///
    /// Throws if it does not support the format exactly.
    init(_ configuration: PlaybackConfiguration) throws(DeviceError) {
        let request = ALSADevice.Request(
            name: configuration.device, direction: .output, format: configuration.pcm.sampleFormat,
            sampleRate: configuration.sampleRate, channelCount: configuration.pcm.channelCount,
            periodDuration: configuration.bufferDuration.inSeconds / 4)
        device = try ALSADevice(request)
        frameSize = configuration.pcm.bytesPerFrame
        // ALSA does not resample here: another rate would change the pitch.
        guard device.sampleRate == configuration.sampleRate, device.channelCount == configuration.pcm.channelCount else {
            device.close()
            throw .unsupportedSetting(
                device.sampleRate == configuration.sampleRate
                    ? .channelCount(configuration.pcm.channelCount) : .sampleRate(configuration.sampleRate))
        }
    }

    deinit { close() }

    func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        let alsa = device.alsa
        let count = snd_pcm_uframes_t(min(bytes.byteCount / frameSize, device.periodFrames))
        guard !isPausedByProgram, alsa.pointee.snd_pcm_wait(device.handle, Int32(max(0, min(timeout.inSeconds, 1e6)) * 1000)) != 0 else {
            return 0
        }
        let written = bytes.withUnsafeBytes { alsa.pointee.snd_pcm_writei(device.handle, $0.baseAddress, count) }
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
        get { isPausedByProgram }
        set {
            guard newValue != isPausedByProgram else { return }
            isPausedByProgram = newValue
            // Many devices cannot pause, so the queued frames are discarded.
            if newValue { flush() }
        }
    }

    var isInterrupted: Bool { false }

    func flush() {
        _ = device.alsa.pointee.snd_pcm_drop(device.handle)
        _ = device.alsa.pointee.snd_pcm_prepare(device.handle)
    }

    func drain(timeout: Duration) -> Bool {
        // ALSA's own wait has no timeout.
        let remaining = Double(waitingFrameCount) / Double(device.sampleRate)
        guard remaining <= timeout.inSeconds else {
            usleep(useconds_t(timeout.inSeconds * 1e6))
            return false
        }
        _ = device.alsa.pointee.snd_pcm_drain(device.handle)
        return true
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        device.close()
    }
}
#endif
