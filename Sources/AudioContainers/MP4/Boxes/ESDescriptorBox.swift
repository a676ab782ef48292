// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The codec configuration in MPEG-4 descriptors (`esds`, ISO/IEC 14496-14, 5.6; ISO/IEC 14496-1, 7.2.6).
package struct ESDescriptorBox: Box, Equatable {
    package static let type: FourCharCode = "esds"

    private enum Tag {
        static let elementaryStream = 3
        static let decoderConfig = 4
        static let decoderSpecificInfo = 5
        static let syncLayerConfig = 6
    }

    /// Values of `objectTypeIndication`.
    private enum ObjectType {
        static let mpeg4Audio = 0x40
        static let mpeg2AAC = 0x66...0x68
        /// Codecs other than AAC, with their Core Audio or sample entry codes.
        static let others: [Int: FourCharCode] = [
            0x69: ".mp3", 0x6B: ".mp3", 0xA5: "ac-3", 0xA6: "ec-3", 0xA9: "dtsc", 0xAC: "dtsh", 0xDD: "vorb",
        ]
    }

    /// The serialized `AudioSpecificConfig`.
    package var audioSpecificConfig: [UInt8] = []
    /// The decoder buffer size in bytes (`bufferSizeDB`).
    package var bufferByteCount = 0
    /// The peak bit rate over one second, in bit/s, or 0 if unspecified.
    package var maximumBitRate = 0
    /// The mean bit rate in bit/s, or 0 if unspecified.
    package var averageBitRate = 0
    /// `objectTypeIndication`.
    package private(set) var objectTypeIndication = ObjectType.mpeg4Audio

    /// Whether the codec is MPEG-4 or MPEG-2 AAC.
    package var isAAC: Bool { objectTypeIndication == ObjectType.mpeg4Audio || ObjectType.mpeg2AAC.contains(objectTypeIndication) }

    /// The profile of MPEG-2 AAC without an `AudioSpecificConfig`, as an object type; `nil` for other streams.
    var mpeg2Profile: Int? {
        guard audioSpecificConfig.isEmpty, ObjectType.mpeg2AAC.contains(objectTypeIndication) else { return nil }
        // The order is the same: Main, LC, SSR.
        return objectTypeIndication - ObjectType.mpeg2AAC.lowerBound + 1
    }

    /// The codec if it is not AAC but has a known code.
    var otherCodec: FourCharCode? { ObjectType.others[objectTypeIndication] }

    package init(audioSpecificConfig: [UInt8]) { self.audioSpecificConfig = audioSpecificConfig }

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        try self.init(parsingDescriptors: &cursor)
    }

    /// Parses descriptors without an enclosing box, as in CAF.
    init(parsingDescriptors cursor: inout ByteCursor) throws(ContainerError) {
        while let (tag, body) = try Self.nextDescriptor(&cursor) {
            if tag == Tag.elementaryStream { try parseElementaryStream(body) }
            // Some writers omit the outer descriptor.
            if tag == Tag.decoderConfig { try parseDecoderConfig(body) }
        }
    }

    private mutating func parseElementaryStream(_ body: ByteCursor) throws(ContainerError) {
        var body = body
        try body.skip(2)
        let flags = try body.readInteger(1)
        if flags & 0x80 != 0 { try body.skip(2) }
        if flags & 0x40 != 0 { try body.skip(try body.readInteger(1)) }
        if flags & 0x20 != 0 { try body.skip(2) }
        while let (tag, inner) = try Self.nextDescriptor(&body) {
            if tag == Tag.decoderConfig { try parseDecoderConfig(inner) }
        }
    }

    private mutating func parseDecoderConfig(_ body: ByteCursor) throws(ContainerError) {
        var body = body
        objectTypeIndication = try body.readInteger(1)
        try body.skip(1)
        bufferByteCount = try body.readInteger(3)
        maximumBitRate = try body.readInteger(4)
        averageBitRate = try body.readInteger(4)
        while case (let tag, var inner)? = try Self.nextDescriptor(&body) {
            if tag == Tag.decoderSpecificInfo { audioSpecificConfig = try inner.readRest() }
        }
    }

    /// Returns the tag and body of the next descriptor.
    ///
    /// Truncates a body that extends beyond the cursor.
    private static func nextDescriptor(_ cursor: inout ByteCursor) throws(ContainerError) -> (tag: Int, body: ByteCursor)? {
        guard cursor.remaining >= 2 else { return nil }
        let tag = try cursor.readInteger(1)
        var length = 0
        // Seven bits per byte, at most four bytes.
        for _ in 0..<4 {
            let byte = try cursor.readInteger(1)
            length = length << 7 | byte & 0x7F
            if byte & 0x80 == 0 { break }
        }
        return (tag, try cursor.split(min(length, cursor.remaining)))
    }

    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writeDescriptors(to: &writer)
    }

    /// Writes the descriptors without an enclosing box.
    func writeDescriptors(to writer: inout BoxWriter) {
        Self.descriptor(Tag.elementaryStream, &writer) { writer in
            writer.write(0, 2)
            writer.write(0, 1)
            Self.descriptor(Tag.decoderConfig, &writer) { writer in
                let audioStream = 5 << 2 | 1
                writer.write(objectTypeIndication, 1)
                writer.write(audioStream, 1)
                writer.write(min(bufferByteCount, 0xFFFFFF), 3)
                writer.write(maximumBitRate, 4)
                writer.write(averageBitRate, 4)
                Self.descriptor(Tag.decoderSpecificInfo, &writer) { $0.write(audioSpecificConfig) }
            }
            Self.descriptor(Tag.syncLayerConfig, &writer) { $0.write(2, 1) }
        }
    }

    /// Writes a descriptor with a four-byte length, as most writers do.
    private static func descriptor(_ tag: Int, _ writer: inout BoxWriter, _ body: (inout BoxWriter) -> Void) {
        writer.write(tag, 1)
        let start = writer.bytes.count
        writer.write(0, 4)
        body(&writer)
        let length = writer.bytes.count - start - 4
        let coded = [21, 14, 7, 0].reduce(0) { $0 << 8 | (length >> $1) & 0x7F | ($1 > 0 ? 0x80 : 0) }
        writer.patch(coded, 4, at: start)
    }
}
