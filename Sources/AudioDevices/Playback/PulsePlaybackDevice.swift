// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import Dispatch

/// Playing through a sound server that speaks PulseAudio's protocol.
///
/// Properties are touched under the connection's lock only, which its callbacks hold.
final class PulsePlaybackDevice: PlaybackDevice, @unchecked Sendable {
    private let connection: PulseConnection
    private let frameSize: Int
    private let sampleRate: Int
    private let changed = DispatchSemaphore(value: 0)
    private var stream: OpaquePointer?
    private var pauses = false
    private var wasAsked = false

    private var pulse: UnsafePointer<LinnetPulseFunctions> { connection.pulse }

    init(_ configuration: PlaybackConfiguration, server: String? = nil) throws(DeviceError) {
        frameSize = configuration.pcm.bytesPerFrame
        sampleRate = configuration.sampleRate
        connection = try PulseConnection(server: server)
        do {
            if let name = configuration.device {
                let names = try connection.sinks().map(\.device.id)
                guard names.contains(name) else { throw DeviceError.deviceNotFound(name, available: names) }
            } else if try connection.defaults().sink == nil {
                throw DeviceError.noDevice(.pulseAudio, .output)
            }
            try connection.locked { () throws(DeviceError) in try connect(configuration) }
            try connection.waitUntilReady({ self.stream }, changed: changed)
        } catch {
            close()
            throw error as? DeviceError ?? .failed(.openDevice, .pulseAudio, code: 0)
        }
    }

    deinit { close() }

    private func connect(_ configuration: PlaybackConfiguration) throws(DeviceError) {
        guard let format = configuration.pcm.sampleFormat.pulse else {
            throw .unsupportedSetting(.sampleFormat(configuration.pcm.sampleFormat))
        }
        let channels = configuration.pcm.channelCount
        var spec = pa_sample_spec(format: format, rate: UInt32(sampleRate), channels: UInt8(clamping: channels))
        var map = pa_channel_map()
        _ = pulse.pointee.pa_channel_map_init_extend(&map, UInt32(channels), PA_CHANNEL_MAP_WAVEEX)
        // Servers hold music back while a call is on.
        let properties = pulse.pointee.pa_proplist_new()
        defer { pulse.pointee.pa_proplist_free(properties) }
        _ = pulse.pointee.pa_proplist_sets(properties, "media.role", "music")
        guard let stream = pulse.pointee.pa_stream_new_with_proplist(connection.context, "Playback", &spec, &map, properties) else {
            throw .failed(.openDevice, .pulseAudio, code: connection.errorCode)
        }
        self.stream = stream
        let this = Unmanaged.passUnretained(self).toOpaque()
        pulse.pointee.pa_stream_set_state_callback(stream, { @Sendable _, this in PulsePlaybackDevice.from(this)?.changed.signal() }, this)
        pulse.pointee.pa_stream_set_write_callback(
            stream, { @Sendable _, _, this in PulsePlaybackDevice.from(this)?.changed.signal() }, this)
        pulse.pointee.pa_stream_set_event_callback(
            stream, { @Sendable _, name, _, this in PulsePlaybackDevice.from(this)?.asked(name) }, this)
        let length = Int(configuration.bufferDuration * Double(sampleRate)) * frameSize
        var buffer = pa_buffer_attr(
            maxlength: UInt32.max, tlength: UInt32(clamping: length), prebuf: UInt32.max, minreq: UInt32.max, fragsize: UInt32.max)
        let flags = PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
        let status = pulse.pointee.pa_stream_connect_playback(
            stream, configuration.device, &buffer, pa_stream_flags_t(flags), nil, nil)
        guard status >= 0 else { throw .failed(.openDevice, .pulseAudio, code: connection.errorCode) }
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> PulsePlaybackDevice? {
        pointer.map { Unmanaged<PulsePlaybackDevice>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Another program wants to be heard, or has ended.
    private func asked(_ name: UnsafePointer<CChar>?) {
        guard let name else { return }
        switch String(cString: name) {
        case "request-cork": wasAsked = true
        case "request-uncork": wasAsked = false
        default: return
        }
        cork()
    }

    private func cork() {
        guard let stream else { return }
        connection.release(pulse.pointee.pa_stream_cork(stream, pauses || wasAsked ? 1 : 0, nil, nil))
        changed.signal()
    }

    func write(_ bytes: UnsafeRawBufferPointer, waiting seconds: Double) throws(DeviceError) -> Int {
        let deadline = HostClock.now + Int64(seconds * 1e9)
        while true {
            let count = try connection.locked { () throws(DeviceError) in try writeNow(bytes) }
            if count > 0 || bytes.isEmpty { return count }
            let rest = Double(deadline - HostClock.now) / 1e9
            guard rest > 0 else { return 0 }
            _ = changed.wait(timeout: .now() + rest)
        }
    }

    private func writeNow(_ bytes: UnsafeRawBufferPointer) throws(DeviceError) -> Int {
        guard let stream, pulse.pointee.pa_stream_get_state(stream) == PA_STREAM_READY else {
            throw .failed(.writeStream, .pulseAudio, code: connection.errorCode)
        }
        let room = pulse.pointee.pa_stream_writable_size(stream)
        guard room != Int.max, room >= frameSize else { return 0 }
        let count = min(room, bytes.count) / frameSize * frameSize
        guard count > 0 else { return 0 }
        let status = pulse.pointee.pa_stream_write(stream, bytes.baseAddress, count, nil, 0, PA_SEEK_RELATIVE)
        guard status >= 0 else { throw .failed(.writeStream, .pulseAudio, code: connection.errorCode) }
        return count
    }

    var waitingFrameCount: Int {
        connection.locked {
            var latency: pa_usec_t = 0
            var isNegative: Int32 = 0
            guard let stream, pulse.pointee.pa_stream_get_latency(stream, &latency, &isNegative) >= 0, isNegative == 0 else { return 0 }
            return HostClock.frames(inNanoseconds: Int64(clamping: min(latency, 60_000_000)) * 1000, sampleRate: sampleRate)
        }
    }

    var isPaused: Bool {
        get { connection.locked { pauses } }
        set {
            connection.locked {
                pauses = newValue
                cork()
            }
        }
    }

    var isInterrupted: Bool { connection.locked { wasAsked } }

    func flush() {
        connection.locked { if let stream { connection.release(pulse.pointee.pa_stream_flush(stream, nil, nil)) } }
    }

    func drain(waiting seconds: Double) {
        let reply = PulseReply(())
        let operation = connection.locked { () -> OpaquePointer? in
            guard let stream else { return nil }
            return pulse.pointee.pa_stream_drain(
                stream, { @Sendable _, _, reply in PulseReply<Void>.from(reply)?.finished.signal() },
                Unmanaged.passUnretained(reply).toOpaque())
        }
        guard let operation else { return }
        _ = reply.finished.wait(timeout: .now() + seconds)
        connection.locked {
            // A cancelled operation never calls back: the reply may go.
            pulse.pointee.pa_operation_cancel(operation)
            pulse.pointee.pa_operation_unref(operation)
        }
    }

    func close() {
        guard stream != nil else { return connection.close() }
        connection.locked {
            guard let stream else { return }
            connection.end(stream)
            self.stream = nil
        }
        connection.close()
    }
}
#endif
