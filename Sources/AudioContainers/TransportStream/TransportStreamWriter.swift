// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// Options of a transport stream.
package struct TransportStreamWriterOptions: Hashable, Sendable {
    /// The longest duration of the access units in a PES packet, at least one unit; less is less delay and more bytes.
    ///
    /// At most 0.5 s. A packet of more than 0.1 s has several clock references, which may be 0.1 s apart at most
    /// (ISO/IEC 13818-1:2019, 2.7.2).
    package var packetDuration: Duration

    /// The clock reference at the presentation time 0, in units of 1/90 000 s.
    package var startTimeStamp: Int64

    /// Creates options.
    ///
    /// - Parameters:
    ///   - packetDuration: The longest duration of the access units in a PES packet.
    ///   - startTimeStamp: The clock reference at the presentation time 0, in units of 1/90 000 s.
    package init(packetDuration: Duration = .milliseconds(100), startTimeStamp: Int64 = 0) {
        self.packetDuration = packetDuration
        self.startTimeStamp = startTimeStamp
    }
}

/// Writes access units into an MPEG transport stream of one program with one stream of ADTS or LOAS frames or of Opus (ISO/IEC 13818-1:2019, 2.4).
///
/// AAC is in ADTS; what ADTS can't hold, frames of 960 samples, AAC-LD and AAC-ELD, is in LOAS (stream type 0x11).
///
/// The presentation times are those of the units: a gap in them is one in the stream. Time stamps are 0.7 s after the clock reference, which is how
/// long a decoder may take to receive a packet.
package struct TransportStreamWriter<Sink: ByteSink>: ContainerWriter {
    /// The destination of the packets.
    package var sink: Sink

    /// The framing of the access units.
    private enum Framing {
        case adts(ADTSFramer)
        case loas(LOASFramer)
        case opus(OpusFramer)
    }

    private var framing: Framing
    private let options: TransportStreamWriterOptions
    private var packets: TransportPacketizer
    /// The frames of the PES packet in preparation.
    private var frames: [UInt8] = []
    /// The presentation time of the first frame in preparation, and that of the frame after the last one.
    private var time: (start: Int64, end: Int64) = (0, 0)
    /// The time of the latest tables.
    private var tableTime: Int64?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - sink: The destination of the packets; it need not support overwriting.
    ///   - configuration: The configuration of the stream.
    ///   - options: The duration of packets, and the first time stamp.
    /// - Throws: ``ContainerError`` for other codecs, channel mappings of Opus that are not the usual ones, and what neither ADTS nor LOAS is used for: object types other than AAC-LC, AAC-LD and AAC-ELD, sample rates without an index, and channel configurations other than 1 to 7.
    package init(
        to sink: Sink, _ configuration: CodecConfiguration, options: TransportStreamWriterOptions = TransportStreamWriterOptions()
    ) throws(ContainerError) {
        if case .opus(let opus) = configuration {
            let framer = try OpusFramer(opus)
            framing = .opus(framer)
            packets = TransportPacketizer(.opus(channelCount: framer.channelCount))
        } else {
            let config = try AudioFileFormat.transportStream.audioSpecificConfig(configuration)
            if config.objectType.isLowDelay || config.objectType == .aacLC && config.frameLength == 960 {
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

    /// Creates a writer of AAC.
    ///
    /// - Parameters:
    ///   - sink: The destination of the packets.
    ///   - configuration: The configuration of the stream.
    ///   - options: The duration of packets, and the first time stamp.
    /// - Throws: ``ContainerError`` as for other configurations.
    package init(
        to sink: Sink, _ configuration: AudioSpecificConfig, options: TransportStreamWriterOptions = TransportStreamWriterOptions()
    ) throws(ContainerError) {
        try self.init(to: sink, .aac(configuration), options: options)
    }

    /// Adds an access unit, and writes the units before it if it does not fit into their packet.
    ///
    /// - Parameter unit: The access unit.
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or
    ///   ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ unit: AccessUnit) throws(ContainerError) {
        switch framing {
        case .adts(let framer): try add(TransportFrame(unit, bytes: try framer.frame(unit)))
        case .loas(var framer):
            let frame = TransportFrame(unit, bytes: try framer.frame(unit))
            framer.advance()
            framing = .loas(framer)
            try add(frame)
        case .opus(var framer):
            let frame = try framer.frame(unit)
            framing = .opus(framer)
            if let frame { try add(frame) }
        }
    }

    /// Adds a frame to the packet in preparation, which is written before if the frame does not fit.
    private mutating func add(_ frame: TransportFrame) throws(ContainerError) {
        let (start, end) = frame.time
        let limit = Int64(options.packetDuration / .microseconds(1)) * PESHeader.clockRate / 1_000_000
        let isGap = (start &- time.end).magnitude > 1
        if !frames.isEmpty, isGap || end &- time.start > limit || frames.count + frame.bytes.count > TransportPacketizer.largestData {
            try writePacket()
        }
        if frames.isEmpty { time.start = start }
        time.end = end
        frames += frame.bytes
    }

    /// Writes the last packet; a transport stream has no end.
    ///
    /// - Parameter gaplessInfo: The padding, which the last packet of Opus tells; ADTS can't store it.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        if case .opus(var framer) = framing {
            let frame = framer.finish(gaplessInfo)
            framing = .opus(framer)
            if let frame { try add(frame) }
        }
        try writePacket()
    }

    /// Writes the frames in preparation as a PES packet, with the tables before it where they are due.
    private mutating func writePacket() throws(ContainerError) {
        guard !frames.isEmpty else { return }
        let clock = options.startTimeStamp &+ time.start
        var bytes: [UInt8] = []
        let elapsed = tableTime.map { time.start &- $0 }
        if elapsed.map({ !(0..<Self.tableInterval).contains($0) }) ?? true {
            packets.appendTables(to: &bytes)
            tableTime = time.start
        }
        packets.append(
            frames, timeStamp: clock &+ Self.decodingDelay, clock: clock, duration: max(0, time.end &- time.start), to: &bytes)
        frames.removeAll(keepingCapacity: true)
        try sink.append(bytes)
    }

    /// The access units after which LOAS repeats the configuration: 0.4 s in HE-AAC at 48 kHz, 0.1 s in AAC-ELD.
    private static var configInterval: Int { 10 }

    /// The distance of tables in units of 1/90 000 s: a receiver waits for them at most this long.
    private static var tableInterval: Int64 { PESHeader.clockRate / 4 }

    /// The time from the clock reference to the time stamp of a packet.
    private static var decodingDelay: Int64 { PESHeader.clockRate * 7 / 10 }
}

extension TransportStreamWriter: Sendable where Sink: Sendable {}
