// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

extension CAFIndex {
    /// The configuration of Opus, which has no cookie of its own there: one or two channels, and the priming of the packet table.
    ///
    /// - Throws: ``ContainerError/opus(_:)`` for more channels without an identification header.
    func opusConfiguration() throws(ContainerError) -> OpusConfiguration {
        guard let description else { throw .missingPart(CAFDescription.type) }
        do throws(OpusFormatError) {
            if let cookie, cookie.starts(with: OpusConfiguration.signature) { return try OpusConfiguration(opusHead: cookie) }
            let priming = hasOpusDurations ? packetTable?.gaplessInfo.primingFrames ?? 0 : 0
            return OpusConfiguration(
                mapping: try OpusChannelMapping(channelCount: description.channelsPerFrame, family: 0),
                preSkip: UInt16(clamping: priming))
        } catch {
            throw .opus(error)
        }
    }

    /// Whether the numbers of frames in the file can be those of packets of Opus; FFmpeg's are a rounded mean.
    var hasOpusDurations: Bool {
        guard let description else { return false }
        let frames = description.framesPerPacket
        return frames == 0 ? packetTable?.durations.isEmpty == false : frames % 120 == 0 && frames <= OpusPacket.maximumDuration
    }
}

extension CAFPackets {
    /// Sets the lengths of all packets of Opus to those in the packets.
    mutating func measureOpus(_ source: some ByteSource, _ audioData: Range<Int>) throws(ContainerError) {
        var input = ReadAhead(source)
        var start = audioData.lowerBound
        for index in sizes.indices {
            let bytes = try input.bytes(in: start..<start + min(2, Int(clamping: sizes[index])))
            if let packet = try? OpusPacket(bytes) { durations[index] = packet.duration }
            start += Int(clamping: sizes[index])
        }
        removeGaplessInfo()
    }
}
