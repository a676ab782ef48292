// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
internal import AudioMetadata
package import AudioPrimitives

/// The place in a file where a lossless gain stores its record, and the record there.
///
/// MP4: a box of type `uuid` at the end, but before an index of fragments (`mfra`), which ends a file. CAF: a chunk of type `uuid` before
/// the audio data, which may have no length. ADTS: an ID3v2 tag with a private frame, after all other tags at the start.
package struct GainRecordPosition {
    /// The file range of the box, chunk or tag; empty, at the place for a new one, without a record.
    package private(set) var range: Range<Int>
    /// The contents of the record; `nil` without one.
    package private(set) var record: [UInt8]?
    private let format: AudioFileFormat

    /// The extended type of the box and the chunk: 16 bytes.
    private static var identifier: [UInt8] { Array(ID3v2Tag.gainOwner.utf8) }
    private static let mostTags = 16

    /// Finds the record of a file, or the place for one.
    ///
    /// - Returns: `nil` if the container has no place for a record.
    /// - Throws: ``ContainerError`` if the file is damaged.
    package init?(in bytes: [UInt8], format: AudioFileFormat) throws(ContainerError) {
        self.format = format
        range = 0..<0
        switch format {
        case .m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime: guard try findBox(ByteCursor(bytes)) else { return nil }
        case .caf: guard try findChunk(ByteCursor(bytes)) else { return nil }
        case .adts: findTag(bytes)
        default: return nil
        }
    }

    /// Returns the bytes of a box, chunk or tag with a record.
    package func serialized(_ record: [UInt8]) -> [UInt8] {
        let contents = Self.identifier + record
        var bytes: [UInt8] = []
        switch format {
        case .caf: bytes = Array("uuid".utf8) + Self.number(contents.count, byteCount: 8)
        case .adts: return ID3v2Tag.serialized(owner: ID3v2Tag.gainOwner, record)
        default: bytes = Self.number(contents.count + 8, byteCount: 4) + Array("uuid".utf8)
        }
        return bytes + contents
    }

    private static func number(_ value: Int, byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * (byteCount - 1 - $0))) }
    }

    /// Returns false if the last box has no end.
    private mutating func findBox(_ file: ByteCursor) throws(ContainerError) -> Bool {
        var cursor = file
        range = file.end..<file.end
        while cursor.remaining >= 8 {
            let start = cursor.position
            let header = try BoxHeader(parsing: &cursor)
            guard let count = header.bodyByteCount, count <= cursor.remaining else { return false }
            var body = try cursor.split(count)
            if header.type == "mfra", cursor.remaining == 0, record == nil { range = start..<start }
            guard header.type == "uuid", count >= Self.identifier.count, try body.readBytes(16) == Self.identifier else { continue }
            (range, record) = (start..<cursor.position, try body.readRest())
        }
        return cursor.remaining == 0
    }

    /// Returns false if there is no audio data.
    private mutating func findChunk(_ file: ByteCursor) throws(ContainerError) -> Bool {
        var cursor = file
        try cursor.skip(CAFIndex.fileHeaderByteCount)
        while cursor.remaining >= CAFIndex.chunkHeaderByteCount {
            let start = cursor.position
            let type = try cursor.readCode()
            let count = try cursor.readSigned(8)
            if type == CAFIndex.data {
                if record == nil { range = start..<start }
                return true
            }
            var body = try cursor.split(count)
            guard type == "uuid", count >= Self.identifier.count, try body.readBytes(16) == Self.identifier else { continue }
            (range, record) = (start..<cursor.position, try body.readRest())
        }
        return false
    }

    private mutating func findTag(_ bytes: [UInt8]) {
        var offset = 0
        for _ in 0..<Self.mostTags {
            guard let count = ContainerProbe.tagByteCount(Array(bytes[offset...].prefix(ContainerProbe.byteCount))) else { break }
            let tag = offset..<min(offset + count, bytes.count)
            // The headers of tag and frame have ten bytes each. A zero follows the owner.
            let owner = tag.lowerBound + 20
            if bytes[tag].dropFirst(10).starts(with: "PRIV".utf8), bytes[tag].dropFirst(20).starts(with: Self.identifier + [0]) {
                (range, record) = (tag, Array(bytes[owner + Self.identifier.count + 1..<tag.upperBound]))
                return
            }
            offset = tag.upperBound
        }
        range = offset..<offset
    }
}
#endif
