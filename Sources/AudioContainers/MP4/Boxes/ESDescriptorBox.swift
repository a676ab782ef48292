// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The configuration of the codec in MPEG-4 descriptors (`esds`, ISO/IEC 14496-14, 5.6; ISO/IEC 14496-1, 7.2.6).
package struct ESDescriptorBox: Box, Equatable {
    package static let type: FourCharCode = "esds"

    /// The tags of descriptors.
    private enum Tag {
        static let elementaryStream = 3
        static let decoderConfig = 4
        static let decoderSpecificInfo = 5
        static let syncLayerConfig = 6
    }

    /// Codings by their `objectTypeIndication`.
    private enum ObjectType {
        static let mpeg4Audio = 0x40
        static let mpeg2AAC = 0x66...0x68
        /// Codecs that are not AAC, with the codes of Core Audio or of their own sample entries.
        static let others: [Int: FourCharCode] = [
            0x69: ".mp3", 0x6B: ".mp3", 0xA5: "ac-3", 0xA6: "ec-3", 0xA9: "dtsc", 0xAC: "dtsh", 0xDD: "vorb",
        ]
    }

    /// The serialized `AudioSpecificConfig`.
    package var audioSpecificConfig: [UInt8] = []
    /// Bytes of a decoder's buffer (`bufferSizeDB`).
    package var bufferByteCount = 0
    /// The highest rate over one second in bit/s; 0: not said.
    package var maximumBitRate = 0
    /// The mean rate in bit/s; 0: not said.
    package var averageBitRate = 0
    /// The coding (`objectTypeIndication`).
    package private(set) var objectTypeIndication = ObjectType.mpeg4Audio

    /// Whether the coding is AAC of MPEG-4 or MPEG-2.
    package var isAAC: Bool { objectTypeIndication == ObjectType.mpeg4Audio || ObjectType.mpeg2AAC.contains(objectTypeIndication) }

    /// The code of a codec that is not AAC; nil for AAC and for codecs without a known code.
    var otherCodec: FourCharCode? { ObjectType.others[objectTypeIndication] }

    /// Creates a box.
    package init(audioSpecificConfig: [UInt8]) { self.audioSpecificConfig = audioSpecificConfig }

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        try self.init(parsingDescriptors: &cursor)
    }

    /// Parses descriptors without a box around them, as CAF has them.
    init(parsingDescriptors cursor: inout ByteCursor) throws(ContainerError) {
        while let (tag, body) = try Self.nextDescriptor(&cursor) {
            if tag == Tag.elementaryStream { try parseElementaryStream(body) }
            // In the files of some writers the outer descriptor is left out.
            if tag == Tag.decoderConfig { try parseDecoderConfig(body) }
        }
    }

    /// Parses an `ES_Descriptor`.
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

    /// Parses a `DecoderConfigDescriptor`.
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

    /// Goes to the next descriptor: its tag and its body; one that claims more than is left gets what is left.
    private static func nextDescriptor(_ cursor: inout ByteCursor) throws(ContainerError) -> (tag: Int, body: ByteCursor)? {
        guard cursor.remaining >= 2 else { return nil }
        let tag = try cursor.readInteger(1)
        var length = 0
        // Seven bits a byte, four bytes at most.
        for _ in 0..<4 {
            let byte = try cursor.readInteger(1)
            length = length << 7 | byte & 0x7F
            if byte & 0x80 == 0 { break }
        }
        return (tag, try cursor.split(min(length, cursor.remaining)))
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writeDescriptors(to: &writer)
    }

    /// Writes the descriptors without a box around them.
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

    /// Writes a descriptor with its length in four bytes, as most writers do.
    private static func descriptor(_ tag: Int, _ writer: inout BoxWriter, _ body: (inout BoxWriter) -> Void) {
        writer.write(tag, 1)
        let place = writer.bytes.count
        writer.write(0, 4)
        body(&writer)
        let length = writer.bytes.count - place - 4
        let coded = [21, 14, 7, 0].reduce(0) { $0 << 8 | (length >> $1) & 0x7F | ($1 > 0 ? 0x80 : 0) }
        writer.patch(coded, 4, at: place)
    }
}
