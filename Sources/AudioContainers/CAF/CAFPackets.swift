// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Sizes and durations of all packets, listed in the file or derived, and the gapless information.
struct CAFPackets {
    /// Packet sizes in bytes.
    let sizes: [UInt32]
    /// Packet durations in sample frames.
    var durations: [Int]
    /// The file's gapless information in its own time unit, or `nil` if unspecified.
    fileprivate var fileInfo: GaplessInfo?
    /// File time units per output sample frame.
    fileprivate let scale: Int

    var byteCount: Int { Int(clamping: sizes.reduce(Int64(0)) { $0 + Int64($1) }) }

    /// Sets the duration of the last Apple Lossless packet, which may be shorter than the others, from its header.
    mutating func measureLast(
        _ source: some ByteSource, _ audioData: Range<Int>, _ configuration: ALACConfiguration
    ) throws(ContainerError) {
        guard let last = durations.indices.last else { return }
        let start = Int(clamping: sizes.dropLast().reduce(Int64(audioData.lowerBound)) { $0 + Int64($1) })
        guard start <= source.byteCount else { return }
        let end = start + min(Int(clamping: sizes[last]), ALACConfiguration.packetHeaderLength)
        guard end <= source.byteCount, let count = configuration.frameCount(ofPacket: try source.bytes(in: start..<end)) else { return }
        durations[last] = count
    }

    /// Discards the gapless information of a file that cannot have it right.
    mutating func removeGaplessInfo() { fileInfo = nil }

    /// Returns the packet table's gapless information, or `nil` if it is missing or contradicts `totalFrames`.
    func gaplessInfo(totalFrames: Int) -> GaplessInfo? {
        guard let fileInfo else { return nil }
        let priming = fileInfo.primingFrames / scale
        let valid = fileInfo.validFrames / scale
        guard totalFrames > 0, priming >= 0, valid >= 0, priming <= totalFrames, valid <= totalFrames - priming else { return nil }
        // Zero valid frames are plausible only if priming and remainder account for all frames.
        guard valid > 0 || priming + fileInfo.remainderFrames / scale == totalFrames else { return nil }
        return GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: totalFrames - priming - valid)
    }
}

extension CAFIndex {
    /// Returns all packets.
    ///
    /// - Parameter framesPerUnit: Sample frames per packet, if the codec specifies it.
    /// - Throws: ``ContainerError/missingPart(_:)`` if the file has neither a packet table nor a constant packet size.
    func packets(framesPerUnit: Int?) throws(ContainerError) -> CAFPackets {
        guard let description else { throw .missingPart(CAFDescription.type) }
        let framesPerUnit = framesPerUnit ?? description.framesPerPacket
        var sizes = packetTable?.sizes ?? []
        if description.bytesPerPacket > 0, sizes.isEmpty {
            let count = (audioData?.count ?? 0) / description.bytesPerPacket
            sizes = [UInt32](repeating: UInt32(clamping: description.bytesPerPacket), count: count)
        } else if packetTable == nil {
            throw .missingPart(CAFPacketTable.type)
        }
        let listed = packetTable?.durations ?? []
        let durations = listed.isEmpty ? [Int](repeating: framesPerUnit, count: sizes.count) : listed
        // If the cookie does not signal SBR, the table still counts SBR output frames.
        let scale = framesPerUnit > 0 && description.framesPerPacket == 2 * framesPerUnit ? 2 : 1
        // FFmpeg's iLBC files count other frames per packet, so the table cannot locate the end.
        let isComparable = listed.count == sizes.count || description.framesPerPacket == scale * framesPerUnit
        return CAFPackets(
            sizes: sizes, durations: durations, fileInfo: isComparable ? packetTable?.gaplessInfo : nil, scale: scale)
    }
}
