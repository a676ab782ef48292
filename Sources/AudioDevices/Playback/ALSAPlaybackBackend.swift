// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import SystemLibrary

/// Plays directly to ALSA, for machines without a sound server.
final class ALSAPlaybackBackend: SystemPlaybackBackend {
    private let device: ALSADevice
    private let frameSize: Int
    private var isClosed = false
    private var isPausedByProgram = false
    /// The audio to write again after a pause: many devices cannot pause, so their buffer is discarded.
    private var unplayed = UnplayedAudio()
    private(set) var failure: DeviceError?

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
        if unplayed.discarded.isEmpty { return try send(bytes, timeout: timeout) }
        try sendDiscarded(timeout: timeout)
        return 0
    }

    /// Writes some of the audio that a pause has discarded.
    private func sendDiscarded(timeout: Duration) throws(DeviceError) {
        let bytes = unplayed.discarded
        _ = try bytes.withSpan { (span) throws(DeviceError) in try send(span.bytes, timeout: timeout) }
    }

    private func send(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        let alsa = device.alsa
        let count = snd_pcm_uframes_t(min(bytes.byteCount / frameSize, device.periodFrames))
        guard !isPausedByProgram, alsa.pointee.snd_pcm_wait(device.handle, Int32(max(0, min(timeout.inSeconds, 1e6)) * 1000)) != 0 else {
            return 0
        }
        let written = bytes.withUnsafeBytes { alsa.pointee.snd_pcm_writei(device.handle, $0.baseAddress, count) }
        if written >= 0 {
            let byteCount = written * frameSize
            bytes.withUnsafeBytes { unplayed.write($0.prefix(byteCount), waitingByteCount: deviceFrameCount * frameSize) }
            return byteCount
        }
        let code = Int32(written)
        if code == -EAGAIN || code == -EINTR { return 0 }
        try check(alsa.pointee.snd_pcm_recover(device.handle, code, 1))
        return 0
    }

    /// Stores and throws the error that ends the stream, if `status` is one.
    private func check(_ status: Int32) throws(DeviceError) {
        do { try device.check(.writeStream, status) } catch {
            failure = error
            throw error
        }
    }

    var waitingFrameCount: Int { deviceFrameCount + unplayed.discarded.count / frameSize }

    /// The number of frames that the device has not played.
    private var deviceFrameCount: Int {
        var frames = 0
        return device.alsa.pointee.snd_pcm_delay(device.handle, &frames) >= 0 ? max(0, frames) : 0
    }

    var isPaused: Bool {
        get { isPausedByProgram }
        set {
            guard newValue != isPausedByProgram else { return }
            isPausedByProgram = newValue
            guard newValue else { return }
            unplayed.discard(waitingByteCount: deviceFrameCount * frameSize)
            discardBuffer()
        }
    }

    var isInterrupted: Bool { false }

    func flush() {
        unplayed = UnplayedAudio()
        discardBuffer()
    }

    private func discardBuffer() {
        _ = device.alsa.pointee.snd_pcm_drop(device.handle)
        _ = device.alsa.pointee.snd_pcm_prepare(device.handle)
    }

    func drain(timeout: Duration) -> Bool {
        if !unplayed.discarded.isEmpty { return (try? sendDiscarded(timeout: timeout)) == nil }
        // ALSA's own wait has no timeout.
        let remaining = Double(waitingFrameCount) / Double(device.sampleRate)
        guard remaining <= timeout.inSeconds else {
            usleep(useconds_t(timeout.inSeconds * 1e6))
            return false
        }
        let status = device.alsa.pointee.snd_pcm_drain(device.handle)
        if status == -ENODEV { try? check(status) }
        return true
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        device.close()
    }
}
#endif
