// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import SystemLibrary

/// An open ALSA device.
///
/// Must be used by one thread at a time.
final class ALSADevice: @unchecked Sendable {
    /// The device to open, and the requested settings.
    struct Request {
        /// The device name; `nil` for the default device.
        var name: String?
        var direction: AudioDevice.Direction
        var format: SampleFormat
        var sampleRate: Int
        var channelCount: Int
        /// The period duration, in seconds.
        var periodDuration: Double
    }

    let alsa: UnsafePointer<LinnetALSAFunctions>
    /// The `snd_pcm_t` handle.
    let handle: OpaquePointer
    let name: String
    /// The actual sample rate, in hertz.
    private(set) var sampleRate = 0
    /// The actual channel count.
    private(set) var channelCount = 0
    /// The actual number of sample frames per period.
    private(set) var periodFrames = 0

    /// Opens a device.
    ///
    /// - Throws: ``DeviceError/failed(_:_:code:)`` with the failed step, or an error with the available devices if the name is unknown.
    init(_ request: Request) throws(DeviceError) {
        guard let alsa = linnet_alsa_functions() else { throw .libraryMissing(.alsa) }
        guard let format = request.format.alsa else { throw .unsupportedSetting(.sampleFormat(request.format)) }
        var handle: OpaquePointer?
        name = request.name ?? "default"
        let stream = request.direction == .input ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        let status = alsa.pointee.snd_pcm_open(&handle, name, stream, 0)
        if status == -ENOENT {
            let devices = try Self.devices().filter { $0.direction == request.direction }
            guard !devices.isEmpty || request.name != nil else { throw .noDevice(.alsa, request.direction) }
            throw .deviceNotFound(name, available: devices.map(\.id))
        }
        guard status >= 0, let handle else { throw .failed(.openDevice, .alsa, code: status) }
        self.alsa = alsa
        self.handle = handle
        do {
            try configure(request, format: format)
        } catch {
            _ = alsa.pointee.snd_pcm_close(handle)
            throw error
        }
    }

    /// Closes the device.
    ///
    /// Must be called once.
    func close() { _ = alsa.pointee.snd_pcm_close(handle) }

    /// Applies the requested settings and reads back the actual ones.
    private func configure(_ request: Request, format: snd_pcm_format_t) throws(DeviceError) {
        var settings: OpaquePointer?
        _ = alsa.pointee.snd_pcm_hw_params_malloc(&settings)
        defer { alsa.pointee.snd_pcm_hw_params_free(settings) }
        try check(.openDevice, alsa.pointee.snd_pcm_hw_params_any(handle, settings))
        try check(.setSampleFormat, alsa.pointee.snd_pcm_hw_params_set_access(handle, settings, SND_PCM_ACCESS_RW_INTERLEAVED))
        try check(.setSampleFormat, alsa.pointee.snd_pcm_hw_params_set_format(handle, settings, format))
        var channels = UInt32(request.channelCount)
        try check(.setChannelCount, alsa.pointee.snd_pcm_hw_params_set_channels_near(handle, settings, &channels))
        var rate = UInt32(request.sampleRate)
        try check(.setSampleRate, alsa.pointee.snd_pcm_hw_params_set_rate_near(handle, settings, &rate, nil))
        var period = snd_pcm_uframes_t(max(16, Int(min(request.periodDuration, 60) * Double(rate))))
        try check(.setBufferSize, alsa.pointee.snd_pcm_hw_params_set_period_size_near(handle, settings, &period, nil))
        // Half a second or four periods, for a busy machine.
        var buffer = max(snd_pcm_uframes_t(rate / 2), period * 4)
        try check(.setBufferSize, alsa.pointee.snd_pcm_hw_params_set_buffer_size_near(handle, settings, &buffer))
        try check(.applySettings, alsa.pointee.snd_pcm_hw_params(handle, settings))
        sampleRate = Int(rate)
        channelCount = Int(channels)
        periodFrames = Int(period)
    }

    /// Throws ``DeviceError/failed(_:_:code:)`` with `step` if `status` is an error.
    func check(_ step: DeviceStep, _ status: Int32) throws(DeviceError) {
        if status < 0 { throw .failed(step, .alsa, code: status) }
    }

    /// Devices in every configuration that convert formats or lead to other audio systems, and `null`, which captures silence.
    private static let excludedNames: Set<String> = [
        "null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "jack", "oss", "pulse", "pipewire",
    ]

    /// Returns the devices in ALSA's configuration that lead to hardware.
    static func devices() throws(DeviceError) -> [AudioDevice] {
        guard let alsa = linnet_alsa_functions() else { throw .libraryMissing(.alsa) }
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        let status = alsa.pointee.snd_device_name_hint(-1, "pcm", &hints)
        guard status >= 0, let hints else { throw .failed(.listDevices, .alsa, code: status) }
        defer { _ = alsa.pointee.snd_device_name_free_hint(hints) }
        var devices: [AudioDevice] = []
        var index = 0
        while let hint = hints[index] {
            index += 1
            func text(_ key: String) -> String? {
                guard let value = alsa.pointee.snd_device_name_get_hint(hint, key) else { return nil }
                defer { free(value) }
                return String(cString: value)
            }
            guard let name = text("NAME"), !excludedNames.contains(name) else { continue }
            let direction = text("IOID")
            let title = text("DESC")?.split(separator: "\n").joined(separator: ", ") ?? name
            for (kind, word) in [(AudioDevice.Direction.input, "Input"), (.output, "Output")] where direction ?? word == word {
                devices.append(
                    AudioDevice(backend: .alsa, id: name, name: title, direction: kind, isDefault: name == "default"))
            }
        }
        return devices
    }
}

extension SampleFormat {
    /// The ALSA format, or `nil` if unsupported.
    fileprivate var alsa: snd_pcm_format_t? {
        switch self {
        case .int16: SND_PCM_FORMAT_S16_LE
        case .int24: SND_PCM_FORMAT_S24_3LE
        case .int32: SND_PCM_FORMAT_S32_LE
        case .float32: SND_PCM_FORMAT_FLOAT_LE
        case .float64: nil
        }
    }
}
#endif
