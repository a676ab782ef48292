// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import Dispatch

/// A capture of what the default output or one program plays.
///
/// It records with streams of its own, which end and are opened again. The program's streams and its outputs are never changed. Both servers
/// end the record stream of a playback stream that ends. When a playback stream moves, PulseAudio ends the record stream, and PipeWire
/// silently disconnects it if the new output has other channels: a new one is opened, and up to 0.2 s are missing. While a playback stream is
/// paused, PulseAudio delivers zeros and PipeWire nothing.
///
/// Properties are accessed only under the connection's lock, which its callbacks hold.
final class PulseMonitorCapture: PulseCapture, @unchecked Sendable {
    /// The maximum number of consecutive attempts to record a playback stream that the server refuses.
    ///
    /// After them, the capture is opened again when it stalls.
    private static let maximumAttemptCount = 3
    /// The time without audio that counts as a pause of unknown length, in nanoseconds.
    private static let pauseTime: Int64 = 100_000_000

    let connection: PulseConnection
    private let played: PlayedAudio
    private let input: CaptureInput
    private let watcher: PulseServerWatcher
    private let stateChanged = DispatchSemaphore(value: 0)
    private var configuration = CaptureConfiguration()
    private var spec = pa_sample_spec()
    private var map = pa_channel_map()
    private var mixer: StreamMixer?
    private var streams: [PulseMonitorStream] = []
    private var streamCount = 0
    /// Disconnected record streams of playback streams that moved, until these end.
    ///
    /// When PipeWire 0.3.65 ends a record stream, another one of the same playback stream can deliver only zeros from then on (10 of 50 moves).
    private var retired: [PulseMonitorStream] = []
    /// The program's streams, and how often the server refused to record each.
    private var programStreams: [PulseProgramStream] = []
    private var refusals: [UInt32: Int] = [:]
    private lazy var list = PulseProgramList(connection) { [unowned self] in update($0) }
    /// Whether the capture is open and has not ended.
    private(set) var isLive = false
    private var pause: InterruptionReason?
    private var latestArrival: Int64 = 0

    init(_ played: PlayedAudio, _ connection: PulseConnection, input: CaptureInput) {
        self.played = played
        self.connection = connection
        self.input = input
        watcher = PulseServerWatcher(connection, input: input)
    }

    /// Whether the server runs on this machine.
    var isLocal: Bool { connection.isLocal }

    // MARK: Opening

    /// Opens the monitor of the default output, or starts waiting for the program's streams.
    ///
    /// - Throws: ``DeviceError`` if the server has no output, or refuses.
    func open(_ configuration: CaptureConfiguration) throws(DeviceError) {
        self.configuration = configuration
        let sources = try connection.sources()
        let defaults = try connection.defaults()
        let output = try connection.sinks().first { $0.device.id == defaults.sink }
        switch played {
        case .system:
            guard let output, let monitor = sources.first(where: { $0.device.id == Self.monitor(of: output.device.id) }) else {
                throw .noDevice(.pulseAudio, .output)
            }
            try prepare(monitor.device, layout: configuration.selectedChannels == nil ? monitor.channelLayout?.inWAVOrder : nil)
            try connection.locked { () throws(DeviceError) in try attach(.source(monitor.device.id)) }
            try connection.waitUntilReady(
                { self.streams.first?.handle }, changed: stateChanged, isCancelled: { input.isCancelled })
            connection.locked { beginSystem(sources, defaults) }
        case .program(let name):
            var device = AudioDevice(backend: .pulseAudio, id: played.id, name: name, direction: .input, isMonitor: true)
            device.sampleRate = output?.device.sampleRate
            device.channelCount = 2
            try prepare(device, layout: nil)
            connection.locked { beginProgram(sources, defaults) }
        }
    }

    /// The identifier of an output's monitor.
    private static func monitor(of output: String) -> String { output + ".monitor" }

    /// Sets the format of the streams and of the input.
    private func prepare(_ device: AudioDevice, layout: ChannelLayout?) throws(DeviceError) {
        spec = try configuration.pulseSpec(rate: device.sampleRate, channelCount: device.channelCount)
        map = pa_channel_map(layout, channelCount: Int(spec.channels), connection.pulse)
        let pcm = PCMFormat(configuration.sampleFormat, channelCount: Int(spec.channels))
        var format = CaptureFormat(
            sampleRate: Int(spec.rate), pcm: pcm, bufferFrames: configuration.bufferFrames(sampleRate: Double(spec.rate)),
            device: device.id,
            deviceName: device.name, nativeSampleRate: device.sampleRate)
        if device.channelCount == pcm.channelCount { format.channelLayout = layout }
        input.prepare(format)
        mixer = StreamMixer(format, bufferDuration: configuration.bufferDuration, input)
    }

    private func beginSystem(_ sources: [PulseDevice], _ defaults: (source: String?, sink: String?)) {
        guard let handle = streams.first?.handle else { return }
        watcher.onDefaultOutput = { [unowned self] in follow(output: $0) }
        watcher.begin(
            sources: sources, defaults: defaults, source: connection.pulse.pointee.pa_stream_get_device_index(handle),
            output: connection.pulse.pointee.pa_stream_get_index(handle))
        begin()
        updatePause()
    }

    private func beginProgram(_ sources: [PulseDevice], _ defaults: (source: String?, sink: String?)) {
        watcher.onPlayback = { [unowned self] in list.refresh() }
        watcher.begin(sources: sources, defaults: defaults)
        begin()
        // The first list decides whether the capture waits.
        list.refresh()
    }

    private func begin() {
        connection.onLoss = { [unowned self] in end(with: .serverLost) }
        isLive = true
        for stream in streams { stream.read() }
    }

    // MARK: Streams

    /// Requests a record stream.
    private func attach(_ target: PulseMonitorStream.Target, sink: UInt32 = .max) throws(DeviceError) {
        streamCount += 1
        let stream = PulseMonitorStream(target, number: streamCount, sink: sink, self)
        streams.append(stream)
        mixer?.add(stream.number)
        try stream.open(configuration, spec: spec, map: map)
    }

    private func detach(_ stream: PulseMonitorStream) {
        stream.close()
        withdraw(stream)
    }

    private func withdraw(_ stream: PulseMonitorStream) {
        streams.removeAll { $0 === stream }
        mixer?.remove(stream.number)
    }

    /// Ends the retired streams whose playback streams have ended.
    private func closeRetired() {
        for stream in retired where !programStreams.contains(where: { stream.target == .program($0.index) }) { stream.close() }
        retired.removeAll { $0.handle == nil }
    }

    func didOpen(_ stream: PulseMonitorStream) {
        stateChanged.signal()
        guard isLive else { return }
        switch stream.target {
        case .program(let index): refusals[index] = nil
        case .source(let id):
            if let handle = stream.handle { watcher.follow(source: connection.pulse.pointee.pa_stream_get_device_index(handle)) }
            input.report(.moved(id: id, name: watcher.name(ofSource: id) ?? id))
        }
        updatePause()
    }

    /// Handles a stream that the server has ended or refused.
    func didEnd(_ stream: PulseMonitorStream) {
        stateChanged.signal()
        guard isLive, connection.isReady else { return }
        switch stream.target {
        case .source: end(with: .deviceLost)
        case .program(let index):
            if !stream.wasOpened { refusals[index, default: 0] += 1 }
            detach(stream)
            // The playback stream has ended or moved.
            list.refresh()
        }
    }

    /// Records the monitor of another output.
    private func follow(output: String) {
        guard isLive, !streams.contains(where: { $0.target == .source(Self.monitor(of: output)) }) else { return }
        for stream in streams { detach(stream) }
        do { try attach(.source(Self.monitor(of: output))) } catch { end(with: .deviceLost) }
    }

    /// Records the program's present streams, and no others.
    private func update(_ all: [PulseProgramStream]) {
        guard isLive, case .program(let name) = played else { return }
        programStreams = all.filter { $0.owner.isNamed(name) }
        refusals = refusals.filter { index, _ in programStreams.contains { $0.index == index } }
        closeRetired()
        for stream in streams {
            let current = programStreams.first { stream.target == .program($0.index) }
            if let current, current.sink == stream.sink || current.sink == .max || stream.sink == .max {
                if current.sink != .max { stream.sink = current.sink }
            } else if current != nil {
                withdraw(stream)
                retired.append(stream)
            } else {
                detach(stream)
            }
        }
        for stream in programStreams where !streams.contains(where: { $0.target == .program(stream.index) }) {
            // PipeWire refuses to record a stream without an output.
            guard stream.sink != .max, refusals[stream.index, default: 0] < Self.maximumAttemptCount else { continue }
            do { try attach(.program(stream.index), sink: stream.sink) } catch { end(with: .serverLost) }
        }
        updatePause()
    }

    // MARK: State

    /// Reports the start or the end of a time without audio.
    func updatePause() {
        guard isLive else { return }
        var reason: InterruptionReason?
        if case .program = played, programStreams.allSatisfy(\.isCorked) {
            reason = .programNotPlaying
        } else if !streams.isEmpty, streams.allSatisfy(\.isSuspended) {
            reason = .deviceSuspended
        }
        guard reason != pause else { return }
        let wasPaused = pause != nil
        pause = reason
        if let reason {
            if !wasPaused { input.report(.suspended(reason)) }
        } else {
            if HostClock.now - latestArrival > Self.pauseTime { mixer?.pause() }
            input.report(.resumed)
        }
    }

    /// Reports the end of the capture once.
    private func end(with notice: BackendNotice) {
        guard isLive else { return }
        isLive = false
        input.report(notice)
    }

    /// Mixes received audio.
    ///
    /// This is the real-time path.
    func accept(_ stream: PulseMonitorStream, _ data: UnsafeRawPointer?, byteCount: Int, hostTime: Int64) {
        guard streams.contains(where: { $0 === stream }) else { return }
        latestArrival = HostClock.now
        mixer?.accept(stream.number, data, byteCount: byteCount, hostTime: hostTime, arrival: latestArrival)
    }

    // MARK: Closing

    func close() {
        guard !connection.isClosed else { return }
        connection.locked {
            for stream in streams { stream.read() }
            isLive = false
            watcher.end()
            for stream in streams + retired { detach(stream) }
        }
        connection.close()
    }
}
#endif
