// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The sizes and lengths of all packets, whether the file lists them or not, and which of their frames are valid.
struct CAFPackets {
    /// The size of each packet in bytes.
    let sizes: [UInt32]
    /// The length of each packet in sample frames.
    var durations: [Int]
    /// The valid frames in the unit of the file; nil if it does not say.
    fileprivate var fileInfo: GaplessInfo?
    /// The number of frames of the file's unit that are one of the output.
    fileprivate let scale: Int

    /// Sets the length of the last packet of Apple Lossless, which may be shorter than the others, to that in the packet.
    mutating func measureLast(
        _ source: some ByteSource, _ audioData: Range<Int>, _ configuration: ALACConfiguration
    ) throws(ContainerError) {
        guard let last = durations.indices.last else { return }
        let start = sizes.dropLast().reduce(audioData.lowerBound) { $0 + Int($1) }
        let end = start + min(Int(clamping: sizes[last]), ALACConfiguration.packetHeaderLength)
        guard end <= source.byteCount, let count = configuration.frameCount(ofPacket: try source.bytes(in: start..<end)) else { return }
        durations[last] = count
    }

    /// Forgets which frames are valid, where the file can't be right.
    mutating func removeGaplessInfo() { fileInfo = nil }

    /// Returns the gapless information of the packet table; nil if there is none or it contradicts the number of frames.
    func gaplessInfo(totalFrames: Int) -> GaplessInfo? {
        guard let fileInfo else { return nil }
        let priming = fileInfo.primingFrames / scale
        let valid = fileInfo.validFrames / scale
        guard priming >= 0, valid >= 0, priming < totalFrames, valid <= totalFrames - priming else { return nil }
        // No valid frames are meant only where all frames are accounted for.
        guard valid > 0 || priming + fileInfo.remainderFrames / scale == totalFrames else { return nil }
        return GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: totalFrames - priming - valid)
    }
}

extension CAFIndex {
    /// Returns all packets.
    ///
    /// - Parameter framesPerUnit: The number of sample frames in a packet, if the codec says so.
    /// - Throws: ``ContainerError/missingPart(_:)`` if neither a table nor a constant size tells where packets begin.
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
        // If the cookie doesn't signal SBR, the table still counts frames of its output.
        let scale = framesPerUnit > 0 && description.framesPerPacket == 2 * framesPerUnit ? 2 : 1
        // A table that counts another number of frames in a packet, as FFmpeg's of iLBC, tells nothing about the end.
        let isComparable = listed.count == sizes.count || description.framesPerPacket == scale * framesPerUnit
        return CAFPackets(
            sizes: sizes, durations: durations, fileInfo: isComparable ? packetTable?.gaplessInfo : nil, scale: scale)
    }
}
