// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// Captures from a microphone and removes the loudspeaker's echo, or only suppresses noise and controls the gain.
///
/// The reference is the monitor of the default output, captured in parallel with the microphone. When the default output changes, the
/// backend switches to the new output's monitor and reports a route change. Samples are 32-bit float with one or two channels at up to
/// 48 kHz. They arrive up to 30 ms later than unprocessed ones, with the same host times.
package final class EchoCancellingBackend: CaptureBackend {
    /// The canceller's maximum sample rate, in hertz.
    private static let highestRate = 48_000

    private let microphone: any CaptureBackend
    private let monitor: (any CaptureBackend)?
    private let options: EchoCancellationOptions
    private let running = Mutex<(reference: EchoReference?, mixer: EchoMixer)?>(nil)

    /// Creates a backend from two backends of the same system.
    ///
    /// - Parameter monitor: Captures the reference. Must be another object than `microphone`. `nil` cancels no echo.
    package init(
        microphone: any CaptureBackend, monitor: (any CaptureBackend)?, options: EchoCancellationOptions = EchoCancellationOptions()
    ) {
        self.microphone = microphone
        self.monitor = monitor
        self.options = options
    }

    package var kind: AudioBackendKind { microphone.kind }

    package func devices() throws(DeviceError) -> [AudioDevice] { try microphone.devices() }

    /// Opens the microphone and the monitor, if any.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        // Checked before a device is opened.
        _ = try EchoCanceller.library()
        let wake = DispatchSemaphore(value: 0)
        let microphoneInput = CaptureInput(queueDuration: configuration.queueDuration, wake: wake)
        let configuration = try adapted(configuration)
        let reference = monitor.map { EchoReference($0, named: options.reference, beside: configuration, wake: wake) }
        do throws(DeviceError) {
            try microphone.start(configuration, into: microphoneInput)
            let played = try reference?.open()
            guard var format = microphoneInput.format, played == nil || played?.input.format != nil else { throw .cancelled }
            let canceller = try EchoCanceller(
                options, sampleRate: format.sampleRate, channelCount: format.pcm.channelCount,
                referenceChannelCount: played?.input.format?.pcm.channelCount ?? 0)
            format.pcm = PCMFormat(.float32, channelCount: format.pcm.channelCount)
            input.prepare(format)
            let mixer = EchoMixer(
                canceller, microphone: microphoneInput, waitsForOutput: [.file, .program].contains(microphone.kind), played: played,
                reference: reference, output: input, wake: wake)
            running.withLock { $0 = (reference, mixer) }
            mixer.run()
        } catch {
            microphone.stop()
            reference?.close()
            throw error
        }
    }

    /// Returns the microphone's configuration: 32-bit float, a sample rate that the canceller supports, and at most two channels.
    private func adapted(_ configuration: CaptureConfiguration) throws(DeviceError) -> CaptureConfiguration {
        // A file has the format that its configuration describes.
        if microphone.kind == .file { return configuration }
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

    package func stop() {
        microphone.stop()
        let old = running.removeValue()
        old?.reference?.close()
        old?.mixer.stop()
    }
}
#endif
