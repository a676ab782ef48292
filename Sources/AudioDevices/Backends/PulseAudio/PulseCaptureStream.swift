// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import Dispatch

/// A record stream with its own connection.
///
/// Properties are accessed only under the connection's lock, which its callbacks hold.
final class PulseCaptureStream: PulseCapture, PulseUserData, @unchecked Sendable {
    private let connection: PulseConnection
    private let input: CaptureInput
    private let watcher: PulseServerWatcher
    private let stateChanged = DispatchSemaphore(value: 0)
    private var stream: OpaquePointer?
    /// Whether the stream is open and has not ended.
    private var isLive = false

    private var pulse: UnsafePointer<LinnetPulseFunctions> { connection.pulse }

    init(_ connection: PulseConnection, input: CaptureInput) {
        self.connection = connection
        self.input = input
        watcher = PulseServerWatcher(connection, input: input)
    }

    /// Whether the server runs on this machine.
    var isLocal: Bool { connection.isLocal }

    // MARK: Opening

    /// Opens the stream, which then writes its audio to the input.
    func open(_ configuration: CaptureConfiguration) throws(DeviceError) {
        let sources = try connection.sources()
        let defaults = try connection.defaults()
        let source = try choose(configuration.device, among: sources, default: defaults.source)
        var spec = try configuration.pulseSpec(rate: source.device.sampleRate, channelCount: source.device.channelCount)
        try connection.locked { () throws(DeviceError) in
            try connect(configuration, spec: &spec, source: source)
        }
        try connection.waitUntilReady({ self.stream }, changed: stateChanged, isCancelled: { input.isCancelled })
        try connection.locked { () throws(DeviceError) in
            guard let stream else { throw .failed(.startStream, .pulseAudio, code: connection.errorCode) }
            input.prepare(actualFormat(of: stream, configuration: configuration, source: source))
            watcher.begin(
                sources: sources, defaults: defaults, source: pulse.pointee.pa_stream_get_device_index(stream),
                output: pulse.pointee.pa_stream_get_index(stream))
            connection.onLoss = { [unowned self] in end(with: .serverLost) }
            isLive = true
            if pulse.pointee.pa_stream_is_suspended(stream) > 0 { input.report(.suspended(.deviceSuspended)) }
            listen(to: stream)
            readAudio()
        }
    }

    private func choose(_ name: String?, among sources: [PulseDevice], default defaultSource: String?) throws(DeviceError) -> PulseDevice {
        if let name {
            guard let source = sources.first(where: { $0.device.id == name }) else {
                throw .deviceNotFound(name, available: sources.map(\.device.id))
            }
            return source
        }
        // Without a microphone, the server's default source is the loudspeaker's monitor, which cannot replace it.
        guard let source = sources.first(where: { $0.device.id == defaultSource }), !source.device.isMonitor else {
            throw .noDevice(.pulseAudio, .input)
        }
        return source
    }

    private func connect(_ configuration: CaptureConfiguration, spec: inout pa_sample_spec, source: PulseDevice) throws(DeviceError) {
        var map = pa_channel_map(layout(configuration, source: source), channelCount: Int(spec.channels), pulse)
        guard let stream = pulse.pointee.pa_stream_new_with_proplist(connection.context, "Recording", &spec, &map, nil) else {
            throw .failed(.openDevice, .pulseAudio, code: connection.errorCode)
        }
        self.stream = stream
        pulse.pointee.pa_stream_set_state_callback(
            stream, { @Sendable _, this in PulseCaptureStream.from(this)?.streamStateChanged() }, userData)
        try connection.connectRecord(
            stream, to: configuration.device, configuration, spec: spec, staysOnDevice: configuration.staysOnDevice)
    }

    private func actualFormat(of stream: OpaquePointer, configuration: CaptureConfiguration, source: PulseDevice) -> CaptureFormat {
        let spec = pulse.pointee.pa_stream_get_sample_spec(stream)?.pointee ?? pa_sample_spec()
        let pcm = PCMFormat(configuration.sampleFormat, channelCount: Int(spec.channels))
        let fragment = pulse.pointee.pa_stream_get_buffer_attr(stream).map { Int($0.pointee.fragsize) } ?? 0
        var format = CaptureFormat(
            sampleRate: Int(spec.rate), pcm: pcm, bufferFrames: fragment / pcm.bytesPerFrame, device: deviceName(of: stream),
            deviceName: source.device.name, nativeSampleRate: source.device.sampleRate)
        if source.device.channelCount == pcm.channelCount { format.channelLayout = layout(configuration, source: source) }
        return format
    }

    /// Returns the device's speakers in WAV order if all channels are recorded unchanged, otherwise `nil`.
    private func layout(_ configuration: CaptureConfiguration, source: PulseDevice) -> ChannelLayout? {
        configuration.selectedChannels == nil ? source.channelLayout?.inWAVOrder : nil
    }

    /// Returns the identifier of the stream's current source.
    private func deviceName(of stream: OpaquePointer) -> String {
        pulse.pointee.pa_stream_get_device_name(stream).map { String(cString: $0) } ?? ""
    }

    // MARK: Callbacks

    private func listen(to stream: OpaquePointer) {
        pulse.pointee.pa_stream_set_read_callback(stream, { @Sendable _, _, this in PulseCaptureStream.from(this)?.readAudio() }, userData)
        pulse.pointee.pa_stream_set_suspended_callback(
            stream, { @Sendable _, this in PulseCaptureStream.from(this)?.suspensionChanged() }, userData)
        pulse.pointee.pa_stream_set_moved_callback(stream, { @Sendable _, this in PulseCaptureStream.from(this)?.moved() }, userData)
        pulse.pointee.pa_stream_set_event_callback(
            stream, { @Sendable _, name, _, this in PulseCaptureStream.from(this)?.handleRequest(name) }, userData)
    }

    private func streamStateChanged() {
        stateChanged.signal()
        guard isLive, let stream, pulse.pointee.pa_stream_get_state(stream) != PA_STREAM_READY else { return }
        // If the stream was killed, its device is gone. Otherwise the connection has ended.
        end(with: connection.errorCode == Int32(PA_ERR_KILLED.rawValue) ? .deviceLost : .serverLost)
    }

    /// Reports the end of the stream once.
    private func end(with notice: BackendNotice) {
        guard isLive else { return }
        isLive = false
        input.report(notice)
    }

    /// Writes all received audio to the input.
    ///
    /// This is the real-time path.
    private func readAudio() {
        guard let stream, isLive else { return }
        connection.read(stream) { data, byteCount, hostTime in
            if let data {
                input.write(UnsafeRawBufferPointer(start: data, count: byteCount).bytes, hostTime: hostTime)
            } else {
                input.writeGap(byteCount: byteCount, hostTime: hostTime)
            }
        }
    }

    /// Handles a suspension of the source, or its end.
    private func suspensionChanged() {
        guard let stream, isLive else { return }
        if pulse.pointee.pa_stream_is_suspended(stream) > 0 {
            input.report(.suspended(.deviceSuspended))
        } else {
            // Not earlier: audio captured before the suspension may arrive after its notice.
            input.writeBreak()
            input.report(.resumed)
        }
    }

    /// Handles a move of the stream to another source.
    private func moved() {
        guard let stream, isLive else { return }
        input.writeBreak()
        watcher.reportMove(to: pulse.pointee.pa_stream_get_device_index(stream))
    }

    /// Handles a server request on behalf of another program.
    private func handleRequest(_ name: UnsafePointer<CChar>?) {
        guard let stream, let name, isLive else { return }
        switch String(cString: name) {
        case "request-cork":
            connection.release(pulse.pointee.pa_stream_cork(stream, 1, nil, nil))
            input.report(.suspended(.requestedByOther))
        case "request-uncork":
            connection.release(pulse.pointee.pa_stream_cork(stream, 0, nil, nil))
            input.writeBreak()
            input.report(.resumed)
        default: break
        }
    }

    // MARK: Closing

    /// Writes the received audio and ends the stream.
    ///
    /// No callback runs after the return.
    func close() {
        connection.close {
            guard let stream else { return nil }
            readAudio()
            isLive = false
            watcher.end()
            self.stream = nil
            return stream
        }
    }
}
#endif
