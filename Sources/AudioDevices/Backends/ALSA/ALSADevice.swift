// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio

/// An open ALSA device with its settings in force.
///
/// One thread at a time.
final class ALSADevice {
    /// What is to be opened.
    struct Request {
        var name: String
        var isCapture: Bool
        var format: SampleFormat
        var sampleRate: Int
        var channelCount: Int
        var bufferDuration: Double
    }

    let alsa: UnsafePointer<LinnetALSAFunctions>
    let handle: OpaquePointer
    private(set) var sampleRate = 0
    private(set) var channelCount = 0
    private(set) var periodFrames = 0

    /// Opens a device; every step that fails says which one it was.
    init(_ request: Request) throws(DeviceError) {
        guard let alsa = linnet_alsa_functions() else { throw .libraryMissing(.alsa) }
        guard let format = request.format.alsa else { throw .unsupportedSetting(.sampleFormat(request.format)) }
        var handle: OpaquePointer?
        let stream = request.isCapture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        let status = alsa.pointee.snd_pcm_open(&handle, request.name, stream, 0)
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

    func close() { _ = alsa.pointee.snd_pcm_close(handle) }

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
        var period = snd_pcm_uframes_t(max(16, Int(request.bufferDuration * Double(rate))))
        try check(.setBufferSize, alsa.pointee.snd_pcm_hw_params_set_period_size_near(handle, settings, &period, nil))
        // Room for a busy machine: half a second, or four periods.
        var buffer = max(snd_pcm_uframes_t(rate / 2), period * 4)
        try check(.setBufferSize, alsa.pointee.snd_pcm_hw_params_set_buffer_size_near(handle, settings, &buffer))
        try check(.applySettings, alsa.pointee.snd_pcm_hw_params(handle, settings))
        sampleRate = Int(rate)
        channelCount = Int(channels)
        periodFrames = Int(period)
    }

    /// Throws the step with its code if a call failed.
    func check(_ step: DeviceStep, _ status: Int32) throws(DeviceError) {
        if status < 0 { throw .failed(step, .alsa, code: status) }
    }

    /// Names in every configuration that are converters and ways to other systems; and `null`, which records silence.
    private static let plumbing: Set<String> = [
        "null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "jack", "oss", "pulse", "pipewire",
    ]

    /// Devices that ALSA's configuration offers, without its plumbing.
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
            guard let name = text("NAME"), !plumbing.contains(name) else { continue }
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
    /// ALSA's word for the format; nil if it has none.
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
