// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// A microphone without the echo of the loudspeaker: a backend in front of another one.
///
/// It records what is played beside what is heard, from the monitor of the default output, and takes the one out of the other. When another
/// output becomes the default, it goes along, and says so as a route change. Samples come as 32-bit floating point, one or two channels, at
/// up to 48 kHz, about 10 ms later than without it.
public final class EchoCancellingBackend: CaptureBackend {
    private static let highestRate = 48_000

    private let microphone: any CaptureBackend
    private let monitor: any CaptureBackend
    private let options: EchoCancellationOptions
    private let running = Mutex<(reference: EchoReference, mixer: EchoMixer)?>(nil)

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
        let configuration = try adapted(configuration)
        let reference = EchoReference(monitor, named: options.reference, beside: configuration, wake: wake)
        do {
            try microphone.start(configuration, into: heard)
            let played = try reference.open()
            guard let format = heard.format, let playedFormat = played.input.format else { throw DeviceError.cancelled }
            let canceller = try canceller(for: format, reference: playedFormat)
            input.prepare(format)
            let mixer = EchoMixer(canceller, heard: heard, played: played, reference: reference, output: input, wake: wake)
            running.withLock { $0 = (reference, mixer) }
            mixer.run()
        } catch {
            microphone.stop()
            reference.close()
            throw error as? DeviceError ?? .failed(.openDevice, kind, code: 0)
        }
    }

    /// What is asked of the microphone: the engine's sample type, a rate that it takes, and at most two channels.
    private func adapted(_ configuration: CaptureConfiguration) throws(DeviceError) -> CaptureConfiguration {
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
        return configuration
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
        let old = running.withLock { running in
            defer { running = nil }
            return running
        }
        old?.reference.close()
        old?.mixer.stop()
    }
}
#endif
