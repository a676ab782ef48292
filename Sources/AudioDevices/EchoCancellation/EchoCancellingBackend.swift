// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// A microphone without the echo of the loudspeaker: a backend in front of another one.
///
/// It records what is played beside what is heard, from the monitor of the default output, and takes the one out of the other. Samples come
/// as 32-bit floating point, one or two channels, at up to 48 kHz, about 10 ms later than without it.
public final class EchoCancellingBackend: CaptureBackend {
    private static let highestRate = 48_000

    private let microphone: any CaptureBackend
    private let monitor: any CaptureBackend
    private let options: EchoCancellationOptions
    private let mixer = Mutex<EchoMixer?>(nil)

    /// Makes a backend that records through `microphone`, and what is played through `monitor`; two of them, of the same system.
    public init(microphone: any CaptureBackend, monitor: any CaptureBackend, options: EchoCancellationOptions = EchoCancellationOptions()) {
        self.microphone = microphone
        self.monitor = monitor
        self.options = options
    }

    /// The microphone's system.
    public var kind: AudioBackendKind { microphone.kind }

    /// The microphone's devices.
    public func devices() throws(DeviceError) -> [AudioDevice] { try microphone.devices() }

    /// Opens the microphone and the monitor.
    public func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        let wake = DispatchSemaphore(value: 0)
        let heard = CaptureInput(queueDuration: configuration.queueDuration, wake: wake)
        let played = CaptureInput(queueDuration: configuration.queueDuration, wake: wake)
        do {
            try open(configuration, heard: heard, played: played)
            guard let format = heard.format, let reference = played.format else { throw DeviceError.cancelled }
            let canceller = try canceller(for: format, reference: reference)
            input.prepare(format)
            let new = EchoMixer(canceller, heard: heard, played: played, output: input, wake: wake)
            mixer.withLock { $0 = new }
            new.run()
        } catch {
            microphone.stop()
            monitor.stop()
            throw error as? DeviceError ?? .failed(.openDevice, kind, code: 0)
        }
    }

    private func open(_ configuration: CaptureConfiguration, heard: CaptureInput, played: CaptureInput) throws(DeviceError) {
        var configuration = configuration
        configuration.sampleFormat = .float32
        let devices = try microphone.devices()
        let name = configuration.device
        let wanted = devices.first { $0.direction == .input && (name == nil ? $0.isDefault : $0.id == name) }
        let rate = min(configuration.sampleRate ?? wanted?.sampleRate ?? Self.highestRate, Self.highestRate)
        configuration.sampleRate = rate / 100 * 100
        if configuration.selectedChannels == nil {
            configuration.channelCount = min(configuration.channelCount ?? wanted?.channelCount ?? 1, 2)
        }
        try microphone.start(configuration, into: heard)
        var reference = configuration
        reference.device = options.reference
        if reference.device == nil { reference.device = try Self.monitor(among: devices) }
        reference.selectedChannels = nil
        reference.channelCount = 1
        reference.staysOnDevice = true
        try monitor.start(reference, into: played)
    }

    private static func monitor(among devices: [AudioDevice]) throws(DeviceError) -> String {
        guard let output = devices.first(where: { $0.direction == .output && $0.isDefault }),
            let monitor = devices.first(where: { $0.isMonitor && $0.id == output.id + ".monitor" })
        else { throw .noDevice(devices.first?.backend ?? .pulseAudio, .output) }
        return monitor.id
    }

    private func canceller(for format: CaptureFormat, reference: CaptureFormat) throws(DeviceError) -> EchoCanceller {
        do {
            return try EchoCanceller(
                options, sampleRate: format.sampleRate, channelCount: format.pcm.channelCount,
                referenceChannelCount: reference.pcm.channelCount)
        } catch {
            throw .unsupportedSetting(.channelCount(format.pcm.channelCount))
        }
    }

    /// Closes both.
    public func stop() {
        microphone.stop()
        monitor.stop()
        let old = mixer.withLock { mixer in
            defer { mixer = nil }
            return mixer
        }
        old?.stop()
    }
}
#endif
