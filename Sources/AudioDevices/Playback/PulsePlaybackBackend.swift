// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import Dispatch

/// Plays through a sound server with the PulseAudio protocol.
///
/// Properties are accessed only under the connection's lock, which its callbacks hold.
package final class PulsePlaybackBackend: SystemPlaybackBackend, PulseUserData, @unchecked Sendable {
    private let connection: PulseConnection
    private let frameSize: Int
    private let sampleRate: Int
    private let changed = DispatchSemaphore(value: 0)
    private var stream: OpaquePointer?
    private var isPausedByProgram = false
    private var isPausedByServer = false

    private var pulse: UnsafePointer<LinnetPulseFunctions> { connection.pulse }

    /// Connects to a server and opens a stream.
    package init(_ configuration: PlaybackConfiguration, server: String? = nil) throws(DeviceError) {
        frameSize = configuration.pcm.bytesPerFrame
        sampleRate = configuration.sampleRate
        connection = try PulseConnection(server: server)
        do throws(DeviceError) {
            if let name = configuration.device {
                let names = try connection.sinks().map(\.device.id)
                guard names.contains(name) else { throw .deviceNotFound(name, available: names) }
            } else if try connection.defaults().sink == nil {
                throw .noDevice(.pulseAudio, .output)
            }
            try connection.locked { () throws(DeviceError) in try connect(configuration) }
            try connection.waitUntilReady({ self.stream }, changed: changed)
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    private func connect(_ configuration: PlaybackConfiguration) throws(DeviceError) {
        guard let format = configuration.pcm.sampleFormat.pulse else {
            throw .unsupportedSetting(.sampleFormat(configuration.pcm.sampleFormat))
        }
        let channels = configuration.pcm.channelCount
        var spec = pa_sample_spec(format: format, rate: UInt32(sampleRate), channels: UInt8(clamping: channels))
        var map = pa_channel_map(configuration.channelLayout, channelCount: channels, pulse)
        // Lets servers pause music during a call.
        let properties = pulse.pointee.pa_proplist_new()
        defer { pulse.pointee.pa_proplist_free(properties) }
        _ = pulse.pointee.pa_proplist_sets(properties, "media.role", "music")
        guard let stream = pulse.pointee.pa_stream_new_with_proplist(connection.context, "Playback", &spec, &map, properties) else {
            throw .failed(.openDevice, .pulseAudio, code: connection.errorCode)
        }
        self.stream = stream
        pulse.pointee.pa_stream_set_state_callback(
            stream, { @Sendable _, this in PulsePlaybackBackend.from(this)?.changed.signal() }, userData)
        pulse.pointee.pa_stream_set_write_callback(
            stream, { @Sendable _, _, this in PulsePlaybackBackend.from(this)?.changed.signal() }, userData)
        pulse.pointee.pa_stream_set_event_callback(
            stream, { @Sendable _, name, _, this in PulsePlaybackBackend.from(this)?.handleRequest(name) }, userData)
        let length = Int(min(configuration.bufferDuration.inSeconds, 60) * Double(sampleRate)) * frameSize
        var buffer = pa_buffer_attr(
            maxlength: UInt32.max, tlength: UInt32(clamping: length), prebuf: UInt32.max, minreq: UInt32.max, fragsize: UInt32.max)
        let flags = PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
        let status = pulse.pointee.pa_stream_connect_playback(
            stream, configuration.device, &buffer, pa_stream_flags_t(flags), nil, nil)
        guard status >= 0 else { throw .failed(.openDevice, .pulseAudio, code: connection.errorCode) }
    }

    /// Handles a server request on behalf of another program.
    private func handleRequest(_ name: UnsafePointer<CChar>?) {
        guard let name else { return }
        switch String(cString: name) {
        case "request-cork": isPausedByServer = true
        case "request-uncork": isPausedByServer = false
        default: return
        }
        updatePause()
    }

    private func updatePause() {
        guard let stream else { return }
        connection.release(pulse.pointee.pa_stream_cork(stream, isPausedByProgram || isPausedByServer ? 1 : 0, nil, nil))
        changed.signal()
    }

    package func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        let deadline = HostClock.time(after: timeout)
        while true {
            let count = try bytes.withUnsafeBytes { bytes throws(DeviceError) in
                try connection.locked { () throws(DeviceError) in try writeNow(bytes) }
            }
            if count > 0 || bytes.isEmpty { return count }
            let remaining = Double(deadline - HostClock.now) / 1e9
            guard remaining > 0 else { return 0 }
            _ = changed.wait(timeout: .now() + remaining)
        }
    }

    /// Writes as many whole frames as fit.
    ///
    /// Must be called under the lock.
    private func writeNow(_ bytes: UnsafeRawBufferPointer) throws(DeviceError) -> Int {
        if let lossNow { throw lossNow }
        guard let stream else { return 0 }
        let availableByteCount = pulse.pointee.pa_stream_writable_size(stream)
        guard availableByteCount != Int.max, availableByteCount >= frameSize else { return 0 }
        let count = min(availableByteCount, bytes.count) / frameSize * frameSize
        guard count > 0 else { return 0 }
        let status = pulse.pointee.pa_stream_write(stream, bytes.baseAddress, count, nil, 0, PA_SEEK_RELATIVE)
        guard status >= 0 else { throw .failed(.writeStream, .pulseAudio, code: connection.errorCode) }
        return count
    }

    package var failure: DeviceError? { connection.locked { lossNow } }

    /// The error of a stream that has ended.
    ///
    /// Must be called under the lock.
    private var lossNow: DeviceError? {
        guard let stream, pulse.pointee.pa_stream_get_state(stream) == PA_STREAM_READY else {
            return .failed(.writeStream, .pulseAudio, code: connection.errorCode)
        }
        return nil
    }

    package var waitingFrameCount: Int {
        connection.locked {
            var latency: pa_usec_t = 0
            var isNegative: Int32 = 0
            guard let stream, pulse.pointee.pa_stream_get_latency(stream, &latency, &isNegative) >= 0, isNegative == 0 else { return 0 }
            return HostClock.frames(inNanoseconds: Int64(clamping: min(latency, 60_000_000)) * 1000, sampleRate: sampleRate)
        }
    }

    package var isPaused: Bool {
        get { connection.locked { isPausedByProgram } }
        set {
            connection.locked {
                isPausedByProgram = newValue
                updatePause()
            }
        }
    }

    package var isInterrupted: Bool { connection.locked { isPausedByServer } }

    package func flush() {
        connection.locked { if let stream { connection.release(pulse.pointee.pa_stream_flush(stream, nil, nil)) } }
    }

    package func drain(timeout: Duration) -> Bool {
        let reply = PulseReply(())
        let operation = connection.locked { () -> OpaquePointer? in
            guard let stream else { return nil }
            return pulse.pointee.pa_stream_drain(
                stream, { @Sendable _, _, reply in PulseReply<Void>.from(reply)?.finished.signal() }, reply.userData)
        }
        guard let operation else { return true }
        let isDone = reply.finished.wait(timeout: .now() + timeout.inSeconds) == .success
        connection.cancel(operation)
        return isDone
    }

    package func close() {
        connection.close {
            defer { stream = nil }
            return stream
        }
    }
}
#endif
