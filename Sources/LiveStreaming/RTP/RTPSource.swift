// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioConversion
public import AudioDevices
public import AudioPrimitives
public import LiveAudio
public import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// Receives the audio of an RTP or SRTP stream that a session description defines.
///
/// ```swift
/// let source = try RTPSource(String(contentsOfFile: "talk.sdp", encoding: .utf8))
/// let recorder = Recorder(source: .program(source), sinks: [.file("talk.m4a")])
/// ```
///
/// The output keeps the stream's timeline: lost audio is concealed. It ends when the sender says so or when nothing has arrived for 5 s.
/// Must be used by one thread at a time.
public final class RTPSource: PlayableSource, PCMSource, PacedSource, @unchecked Sendable {
    /// The time without packets after which a stream has ended.
    package static let silenceLimit = Duration.seconds(5)
    /// The maximum time that ``next()`` waits.
    private static let maximumWait = Duration.milliseconds(50)
    /// The maximum number of datagrams to receive at a time.
    private static let maximumDatagrams = 256
    /// The maximum size of a session description, in bytes.
    private static let maximumDescriptionLength = 65_536

    private let description: SessionDescription
    private let sockets: [UDPSocket]
    private let encryption: SRTPSession?
    private let isPaced: Bool
    private var reception: RTPReception
    private var decoder: (any AudioPacketDecoder)?
    /// The configuration that the decoder was made for.
    private var decoderConfiguration: CodecConfiguration?
    /// The duration of the last access unit, in clock ticks.
    private var unitDuration = 0
    private var converter: PCMBufferConverter?
    private var decoded = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
    /// Decoded frames that have not been read.
    private var rest = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
    private var restStart = 0
    private var hasEnded = false
    private var unauthenticatedCount = 0
    private var replayedCount = 0
    private var damagedCount = 0
    private let start = ContinuousClock.now

    /// Always true: the stream does not wait for the reader.
    package var followsClock: Bool { true }
    /// The output sample rate, in hertz.
    public let sampleRate: Int
    /// The output channel count.
    public let channelCount: Int
    /// Always `nil`: the length of a stream is unknown.
    public var frameCount: Int? { nil }
    /// The number of sample frames read so far.
    public private(set) var position = 0

    /// Whether a file starts like a session description.
    package static func isDescription(path: String) -> Bool {
        // Opening a named pipe would start its writer, whose bytes would be lost.
        guard (try? FileStatus(of: path))?.kind == .regular, let file = try? OpenFile(reading: path),
            let start = try? file.bytes(in: 0..<4)
        else { return false }
        return SessionDescription.begins(start)
    }

    /// Opens the ports of a stream that a file describes.
    ///
    /// - Parameters:
    ///   - path: The path of the session description.
    ///   - latency: The jitter buffer's length: the maximum delay of a packet relative to the fastest packets.
    ///   - isPaced: Whether audio is returned when it is due, as for playback, with silence before the stream starts; otherwise as soon as
    ///     it is complete.
    /// - Throws: ``StreamingError``.
    package convenience init(path: String, latency: Duration = .milliseconds(60), isPaced: Bool = false) throws(StreamingError) {
        guard let file = try? OpenFile(reading: path), let count = try? file.status().byteCount,
            let bytes = try? file.bytes(in: 0..<min(count, Self.maximumDescriptionLength))
        else { throw .cannotRead(path: path, code: errno) }
        try self.init(String(decoding: bytes, as: UTF8.self), latency: latency, isPaced: isPaced, name: path)
    }

    /// Opens the ports of a stream.
    ///
    /// - Parameters:
    ///   - description: The text of the session description, for example from a signalling server.
    ///   - latency: The jitter buffer's length: the maximum delay of a packet relative to the fastest packets.
    ///   - isPaced: Whether audio is returned when it is due, as for playback, with silence before the stream starts; otherwise as soon as
    ///     it is complete.
    ///   - name: The description's name in errors.
    /// - Throws: ``StreamingError``.
    public init(
        _ description: String, latency: Duration = .milliseconds(60), isPaced: Bool = false, name: String = "the session description"
    ) throws(StreamingError) {
        self.isPaced = isPaced
        do throws(SessionDescription.Problem) {
            self.description = try SessionDescription(parsing: description)
        } catch {
            throw .sessionDescription(path: name, reason: error.description)
        }
        do throws(CodecError) {
            decoderConfiguration = self.description.format.configuration
            decoder = try decoderConfiguration?.makeDecoder()
        } catch {
            throw .unsupportedFormat(reason: "\(name): \(error)")
        }
        sampleRate = decoder?.sampleRate ?? self.description.clockRate
        channelCount = if let count = decoder?.channelCount, count > 0 { count } else { self.description.channelCount }
        sockets = try Self.sockets(self.description)
        encryption = if let key = self.description.key { try SRTPSession(key: key, .receiving) } else { nil }
        reception = RTPReception(self.description, latency: latency, isPaced: isPaced, silenceLimit: Self.silenceLimit)
    }

    private static func sockets(_ description: SessionDescription) throws(StreamingError) -> [UDPSocket] {
        try SocketAddress.first(description.host, port: description.port) { address throws(StreamingError) in
            let stream = try UDPSocket(receivingAt: address)
            guard description.controlPort != description.port else { return [stream] }
            // RTCP is optional for reception.
            guard let control = try? UDPSocket(receivingAt: address.withPort(description.controlPort)) else { return [stream] }
            return [stream, control]
        }
    }

    /// The counts so far.
    public var statistics: RTPStatistics {
        var result = reception.statistics
        result.unauthenticatedPacketCount = unauthenticatedCount
        result.duplicatePacketCount += replayedCount
        result.damagedUnitCount = damagedCount
        return result
    }

    // MARK: Reading

    /// Replaces the buffer's contents with the next sample frames.
    ///
    /// Blocks until audio is available. With pacing, the time before the stream starts is silence.
    ///
    /// - Returns: False at the end, with an empty buffer.
    @discardableResult
    public func read(into buffer: inout PCMBuffer) -> Bool {
        while true {
            if take(into: &buffer) { return true }
            if hasEnded {
                buffer.frameCount = 0
                return false
            }
            advance()
            if isPaced, !reception.hasBegun {
                silence(into: &buffer)
                return true
            }
        }
    }

    /// Returns the next audio, an empty buffer if none has arrived yet, or `nil` at the end.
    public func next() -> PCMBuffer? {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: max(1, sampleRate / 50))
        if take(into: &buffer) { return buffer }
        advance()
        if take(into: &buffer) { return buffer }
        buffer.frameCount = 0
        return hasEnded ? nil : buffer
    }

    /// Always false: a stream is not seekable.
    public var canSeek: Bool { false }
    /// Does nothing.
    public func seek(toFrame frame: Int) {}

    /// Moves decoded frames into a buffer.
    ///
    /// Returns whether there were any.
    private func take(into buffer: inout PCMBuffer) -> Bool {
        let count = min(rest.frameCount - restStart, buffer.frameCapacity)
        guard count > 0 else { return false }
        buffer.frameCount = count
        for channel in 0..<channelCount {
            let samples = rest[channel: channel]
            var output = buffer.mutableChannel(channel)
            for frame in 0..<count { output[frame] = samples[restStart + frame] }
        }
        restStart += count
        position += count
        return true
    }

    /// Fills a buffer with the elapsed 10 ms of silence.
    private func silence(into buffer: inout PCMBuffer) {
        let count = min(buffer.frameCapacity, max(1, sampleRate / 100))
        rest = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: count)
        restStart = 0
        _ = take(into: &buffer)
    }

    /// Processes received datagrams and decodes due audio, or waits briefly if none is due.
    private func advance() {
        receive()
        switch reception.next(at: ContinuousClock.now - start) {
        case .accessUnit(let accessUnit): decode(accessUnit)
        case .missing: conceal()
        case .ended: finish()
        case .wait(let time):
            let limit = isPaced && !reception.hasBegun ? Duration.milliseconds(10) : Self.maximumWait
            let left = time.map { min(limit, $0 - (ContinuousClock.now - start)) } ?? limit
            UDPSocket.wait(for: sockets, timeout: left)
        }
    }

    private func receive() {
        for (index, socket) in sockets.enumerated() {
            // A flood must not hold the reader.
            for _ in 0..<Self.maximumDatagrams {
                guard let datagram = socket.receive() else { break }
                // On a shared port, the packet type identifies RTCP (RFC 5761, 4).
                let isControl = index > 0 || (datagram.count > 1 && (200...207).contains(datagram[1]) && sockets.count == 1)
                guard let bytes = opened(datagram, isControl: isControl) else { continue }
                if isControl {
                    reception.receiveControl(bytes, at: ContinuousClock.now - start)
                } else {
                    reception.receive(bytes, at: ContinuousClock.now - start)
                }
            }
        }
    }

    /// Decrypts a datagram; `nil` if it is not authentic or a replay.
    private func opened(_ datagram: [UInt8], isControl: Bool) -> [UInt8]? {
        guard let encryption else { return datagram }
        switch encryption.unprotect(datagram, isControl: isControl) {
        case .packet(let bytes): return bytes
        case .replayed:
            if !isControl { replayedCount += 1 }
            return nil
        case .refused:
            unauthenticatedCount += 1
            return nil
        }
    }

    // MARK: Decoding

    private func decode(_ accessUnit: RTPUnit) {
        if decoder == nil || accessUnit.configuration != decoderConfiguration {
            decoder = try? accessUnit.configuration.makeDecoder()
            decoderConfiguration = accessUnit.configuration
        }
        unitDuration = accessUnit.duration
        guard let decoder else {
            damagedCount += 1
            return keepSilence()
        }
        let outcome = accessUnit.payload.withSpan { decoder.decode($0, into: &decoded) }
        if outcome.damage != nil { damagedCount += 1 }
        keep()
    }

    private func conceal() {
        guard let decoder else { return keepSilence() }
        decoder.conceal(into: &decoded)
        keep()
    }

    /// Stores silence for an access unit without a decoder.
    private func keepSilence() {
        let count = unitDuration * sampleRate / description.clockRate
        decoded = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: count, frameCount: count)
        keep()
    }

    /// Ends the stream with the remaining frames of the conversion.
    private func finish() {
        hasEnded = true
        guard let last = try? converter?.finish() else { return }
        converter = nil
        (rest, restStart) = (last, 0)
    }

    /// Stores the decoded audio, converted to the output format.
    private func keep() {
        restStart = 0
        guard converter != nil || decoded.sampleRate != sampleRate || decoded.channelCount != channelCount else {
            rest = decoded
            return
        }
        let converter =
            converter ?? PCMBufferConverter(sampleRate: sampleRate, channels: ChannelMatrix.Channels(count: channelCount, layout: nil))
        self.converter = converter
        if let converted = try? converter.convert(decoded, layout: decoder?.channelLayout) {
            rest = converted
        } else {
            // A rate that cannot be converted: silence of the same duration.
            let count = decoded.frameCount * sampleRate / max(1, decoded.sampleRate)
            rest = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: count, frameCount: count)
        }
    }
}
