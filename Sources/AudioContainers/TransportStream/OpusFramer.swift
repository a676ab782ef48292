// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Adds control headers to Opus packets for a transport stream.
///
/// Each packet is returned with a delay of one packet, because the last packet signals the padding.
struct OpusFramer: Sendable {
    /// The channel count, which the program map table signals.
    let channelCount: Int

    /// The pre-skip not yet signalled in headers.
    private var remainingPreSkip: Int
    /// The latest packet, with its duration in sample frames at 48 kHz.
    private var held: (accessUnit: AccessUnit, duration: Int)?
    /// The number of sample frames in all packets.
    private var frameCount = 0

    /// Creates a framer.
    ///
    /// - Throws: ``ContainerError/codecNotStorable(_:in:)`` unless the channel mapping is the default for the channel count, or
    ///   ``ContainerError/outputGainNotStorable(_:in:)``.
    init(_ configuration: OpusConfiguration) throws(ContainerError) {
        guard (try? OpusChannelMapping(channelCount: configuration.channelCount)) == configuration.mapping else {
            throw .codecNotStorable(.opus, in: .transportStream)
        }
        guard configuration.outputGain == 0 else { throw .outputGainNotStorable(configuration.outputGain, in: .transportStream) }
        channelCount = configuration.channelCount
        remainingPreSkip = Int(configuration.preSkip)
    }

    /// Accepts a packet and returns the previous packet with its header, if any.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, ``ContainerError/codec(_:)``.
    mutating func frame(_ accessUnit: AccessUnit) throws(ContainerError) -> TransportFrame? {
        try accessUnit.checkLength(limit: TransportPacketizer.maximumDataByteCount - 512)
        let duration: Int
        do throws(CodecError) { duration = try OpusPacket(accessUnit.payload).duration } catch { throw .codec(error) }
        frameCount += duration
        defer { held = (accessUnit, duration) }
        return framed(remainder: 0)
    }

    /// Returns the last packet with its header, if any.
    ///
    /// - Parameter gaplessInfo: Priming and valid sample frames. Later ones are padding.
    mutating func finish(_ gaplessInfo: GaplessInfo?) -> TransportFrame? {
        defer { held = nil }
        return framed(remainder: gaplessInfo.map { frameCount - $0.primingFrames - $0.validFrames } ?? 0)
    }

    /// Returns the held packet with its header.
    private mutating func framed(remainder: Int) -> TransportFrame? {
        guard let (accessUnit, duration) = held else { return nil }
        var trim = UnitTrim()
        trim.leading = min(remainingPreSkip, duration)
        remainingPreSkip -= trim.leading
        trim.trailing = min(max(0, remainder), duration - trim.leading)
        let header = OpusControlHeader(trim: trim, byteCount: accessUnit.payload.count)
        return TransportFrame(accessUnit, bytes: header.serialized + accessUnit.payload)
    }
}

/// An access unit in its transport stream form.
struct TransportFrame {
    /// The presentation time of its start and end, in units of 1/90 000 s.
    let time: (start: Int64, end: Int64)
    /// Header and payload.
    let bytes: [UInt8]

    init(_ accessUnit: AccessUnit, bytes: [UInt8]) {
        let timescale = accessUnit.presentationTime.timescale
        // Transport stream clocks wrap after 2^33 ticks, and out-of-range times wrap with them.
        time = (
            Self.ticks(accessUnit.presentationTime.value, timescale),
            Self.ticks(accessUnit.presentationTime.value &+ Int64(accessUnit.duration), timescale)
        )
        self.bytes = bytes
    }

    /// Returns a time in units of 1/90 000 s, rounded down.
    private static func ticks(_ value: Int64, _ timescale: Int32) -> Int64 {
        let (seconds, rest) = value.quotientAndRemainder(dividingBy: Int64(timescale))
        return seconds &* PESHeader.clockRate &+ rest * PESHeader.clockRate / Int64(timescale)
    }
}
