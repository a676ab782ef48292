// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Puts the control header before each packet of Opus in a transport stream.
///
/// A packet is given with the next one, since the last one of all has the length of the padding.
struct OpusFramer: Sendable {
    /// The number of channels, which the program map table tells.
    let channelCount: Int

    /// The pre-skip that is not in headers yet.
    private var remainingPreSkip: Int
    private var held: AccessUnit?
    /// The number of sample frames that the packets decode to.
    private var frameCount = 0

    /// Creates a framer.
    ///
    /// - Throws: ``ContainerError/codecNotStorable(_:in:)`` for channel mappings other than the usual one of the number of channels.
    init(_ configuration: OpusConfiguration) throws(ContainerError) {
        guard (try? OpusChannelMapping(channelCount: configuration.channelCount)) == configuration.mapping else {
            throw .codecNotStorable(.opus, in: .transportStream)
        }
        channelCount = configuration.channelCount
        remainingPreSkip = Int(configuration.preSkip)
    }

    /// Takes a packet; returns the one before it with its header, nil if there is none.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``,
    ///   ``ContainerError/codec(_:)``.
    mutating func frame(_ unit: AccessUnit) throws(ContainerError) -> TransportFrame? {
        try unit.checkLength(limit: TransportPacketizer.largestData - 512)
        defer { held = unit }
        do throws(CodecError) { frameCount += try OpusPacket(unit.payload).duration } catch { throw .codec(error) }
        return framed(remainder: 0)
    }

    /// Returns the last packet with its header; nil if there is none.
    ///
    /// - Parameter gaplessInfo: The priming and the valid sample frames, after which the packet is padding.
    mutating func finish(_ gaplessInfo: GaplessInfo?) -> TransportFrame? {
        defer { held = nil }
        return framed(remainder: gaplessInfo.map { frameCount - $0.primingFrames - $0.validFrames } ?? 0)
    }

    /// Returns the held packet with its header.
    private mutating func framed(remainder: Int) -> TransportFrame? {
        guard let unit = held else { return nil }
        var trim = UnitTrim()
        trim.leading = min(remainingPreSkip, unit.duration)
        remainingPreSkip -= trim.leading
        trim.trailing = min(max(0, remainder), unit.duration - trim.leading)
        let header = OpusControlHeader(trim: trim, byteCount: unit.payload.count)
        return TransportFrame(unit, bytes: header.serialized + unit.payload)
    }
}

/// An access unit as a transport stream has it.
struct TransportFrame {
    /// The presentation time of its start and of its end, in units of 1/90 000 s.
    let time: (start: Int64, end: Int64)
    /// The header and the payload.
    let bytes: [UInt8]

    /// Creates a frame.
    init(_ unit: AccessUnit, bytes: [UInt8]) {
        let timescale = unit.presentationTime.timescale
        // Clocks of transport streams begin anew after 2^33 ticks: times beyond the limits do so too.
        time = (
            Self.ticks(unit.presentationTime.value, timescale), Self.ticks(unit.presentationTime.value &+ Int64(unit.duration), timescale)
        )
        self.bytes = bytes
    }

    /// Returns a time in units of 1/90 000 s, rounded down.
    private static func ticks(_ value: Int64, _ timescale: Int32) -> Int64 {
        let (seconds, rest) = value.quotientAndRemainder(dividingBy: Int64(timescale))
        return seconds &* PESHeader.clockRate &+ rest * PESHeader.clockRate / Int64(timescale)
    }
}
