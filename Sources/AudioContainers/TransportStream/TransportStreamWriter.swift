// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio

package struct TransportStreamWriterOptions: Hashable, Sendable {
    /// The maximum duration of a PES packet, which has at least one access unit.
    ///
    /// At most 0.5 s. A shorter duration lowers delay and adds overhead.
    ///
    /// Packets longer than 0.1 s contain several clock references, which must be at most 0.1 s apart (ISO/IEC 13818-1:2019, 2.7.2).
    package var packetDuration: Duration

    /// The clock reference at presentation time 0, in units of 1/90 000 s.
    package var startTimeStamp: Int64

    package init(packetDuration: Duration = .milliseconds(100), startTimeStamp: Int64 = 0) {
        self.packetDuration = packetDuration
        self.startTimeStamp = startTimeStamp
    }
}

/// Writes an MPEG transport stream of one program with one ADTS, LOAS or Opus stream (ISO/IEC 13818-1:2019, 2.4).
///
/// AAC uses ADTS if possible. Frames of 960 samples, AAC-LD, AAC-ELD and USAC use LOAS (stream type 0x11).
///
/// Presentation times follow the access units, including gaps. Timestamps are 0.7 s after the clock reference, which leaves decoders that
/// long to receive a packet.
package struct TransportStreamWriter<Sink: ByteSink>: ContainerWriter {
    package var sink: Sink

    /// The framing of access units.
    private enum Framing {
        case adts(ADTSFramer)
        case loas(LOASFramer)
        case opus(OpusFramer)
    }

    private var framing: Framing
    private let options: TransportStreamWriterOptions
    private var packets: TransportPacketizer
    /// The frames of the pending PES packet.
    private var frames: [UInt8] = []
    /// The start and end time of the pending frames.
    private var time: (start: Int64, end: Int64) = (0, 0)
    private var tableTime: Int64?

    /// Creates a writer.
    ///
    /// - Parameter sink: The destination. It need not support overwriting.
    /// - Throws: ``ContainerError`` unless the stream is Opus with a default channel mapping, or AAC-LC, AAC-LD, AAC-ELD or USAC with a
    ///   standard sample rate and channel configuration 1 to 7.
    package init(
        to sink: Sink, _ configuration: CodecConfiguration, options: TransportStreamWriterOptions = TransportStreamWriterOptions()
    ) throws(ContainerError) {
        if case .opus(let opus) = configuration {
            let framer = try OpusFramer(opus)
            framing = .opus(framer)
            packets = TransportPacketizer(.opus(channelCount: framer.channelCount))
        } else {
            let config = try AudioFileFormat.transportStream.audioSpecificConfig(configuration)
            if config.objectType.isLowDelay || config.usac != nil || config.objectType == .aacLC && config.frameLength == 960 {
                framing = .loas(try LOASFramer(config, configInterval: Self.configInterval))
                packets = TransportPacketizer(.loas)
            } else {
                framing = .adts(try ADTSFramer(config))
                packets = TransportPacketizer(.adts)
            }
        }
        self.options = options
        self.sink = sink
    }

    /// Adds an access unit.
    ///
    /// Writes the pending PES packet first if the access unit does not fit.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or
    ///   ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) {
        switch framing {
        case .adts(let framer): try add(TransportFrame(accessUnit, bytes: try framer.frame(accessUnit)))
        case .loas(var framer):
            let frame = TransportFrame(accessUnit, bytes: try framer.frame(accessUnit))
            framer.advance()
            framing = .loas(framer)
            try add(frame)
        case .opus(var framer):
            let frame = try framer.frame(accessUnit)
            framing = .opus(framer)
            if let frame { try add(frame) }
        }
    }

    /// Adds a frame to the pending PES packet, which is written first if the frame does not fit.
    private mutating func add(_ frame: TransportFrame) throws(ContainerError) {
        let (start, end) = frame.time
        let limit = Int64(options.packetDuration / .microseconds(1)) * PESHeader.clockRate / 1_000_000
        let isGap = (start &- time.end).magnitude > 1
        if !frames.isEmpty,
            isGap || end &- time.start > limit || frames.count + frame.bytes.count > TransportPacketizer.maximumDataByteCount
        {
            try writePacket()
        }
        if frames.isEmpty { time.start = start }
        time.end = end
        frames += frame.bytes
    }

    /// Writes the last packet.
    ///
    /// A transport stream has no trailer.
    ///
    /// - Parameter gaplessInfo: The padding, signalled in the last Opus packet. AAC cannot store it.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        if case .opus(var framer) = framing {
            let frame = framer.finish(gaplessInfo)
            framing = .opus(framer)
            if let frame { try add(frame) }
        }
        try writePacket()
    }

    /// Writes the pending frames as a PES packet, preceded by the tables if they are due.
    private mutating func writePacket() throws(ContainerError) {
        guard !frames.isEmpty else { return }
        let clock = options.startTimeStamp &+ time.start
        var bytes: [UInt8] = []
        let elapsed = tableTime.map { time.start &- $0 }
        if elapsed.map({ !(0..<Self.tableInterval).contains($0) }) ?? true {
            packets.appendTables(to: &bytes)
            tableTime = time.start
        }
        let duration = min(max(0, time.end &- time.start), PESHeader.timeStampModulus - 1)
        packets.append(frames, timeStamp: clock &+ Self.decodingDelay, clock: clock, duration: duration, to: &bytes)
        frames.removeAll(keepingCapacity: true)
        try sink.append(bytes)
    }

    /// The LOAS configuration interval, in access units: 0.4 s in HE-AAC at 48 kHz, 0.1 s in AAC-ELD.
    private static var configInterval: Int { 10 }

    /// The interval of tables in units of 1/90 000 s, which is the longest time that a receiver waits for them.
    private static var tableInterval: Int64 { PESHeader.clockRate / 4 }

    /// The time from a packet's clock reference to its timestamp.
    private static var decodingDelay: Int64 { PESHeader.clockRate * 7 / 10 }
}

extension TransportStreamWriter: Sendable where Sink: Sendable {}
