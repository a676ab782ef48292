// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Reads the raw data blocks of an ADIF file, or of a CAF file that was cut off before its table, whose ends only a decoder can find.
final class ADIFSource {
    private let step: (Int?) throws -> ArraySlice<UInt8>
    private let configuration: AudioSpecificConfig
    /// The number of sample frames of the core in an access unit.
    private let frameLength: Int
    private var isAnnounced = false
    private var consumed: Int? = 0
    private var offset = 0
    private var unitCount = 0
    /// Whether the file is cut off, which is reported at the end.
    private var isCut = false

    /// The most bytes of an access unit.
    private static let unitLimit = 24_576

    /// Continues a reader that has read the header.
    init<Bytes: ByteSource>(_ opened: ADIFReader<Bytes>) throws {
        configuration = opened.configuration
        guard let frameLength = configuration.frameLength else { throw ContainerError.unknownFrameLength(of: configuration.objectType) }
        self.frameLength = frameLength
        offset = opened.offset
        var reader = opened
        step = { consumed in
            if let consumed {
                if consumed > 0 { reader.advance(by: consumed) }
                return try reader.window()
            }
            // After damage nothing tells where the next block begins.
            return []
        }
    }

    /// Reads the blocks of a CAF file without a table.
    init<Bytes: ByteSource>(_ opened: CAFRawBlocks<Bytes>) throws {
        configuration = opened.configuration
        guard let frameLength = configuration.frameLength else { throw ContainerError.unknownFrameLength(of: configuration.objectType) }
        self.frameLength = frameLength
        offset = opened.offset
        isCut = true
        var blocks = opened
        step = { consumed in
            guard let consumed else { return [] }
            if consumed > 0 { blocks.advance(by: consumed) }
            return try blocks.window()
        }
    }

    /// Returns the next event, or nil at the end.
    func next() throws -> ReaderEvent? {
        guard isAnnounced else {
            isAnnounced = true
            return .configuration(.aac(configuration))
        }
        let bytes = try step(consumed).prefix(Self.unitLimit)
        offset += consumed ?? 0
        consumed = nil
        guard !bytes.isEmpty else {
            guard isCut else { return nil }
            isCut = false
            return .skipped(SkippedBytes(byteRange: offset..<offset, reason: .afterEnd(unitCount: 1)))
        }
        let time = MediaTime(value: Int64(unitCount * frameLength), timescale: Int32(clamping: configuration.sampleRate))
        unitCount += 1
        let unit = AccessUnit(payload: Array(bytes), presentationTime: time, duration: frameLength)
        return .accessUnit(CodedUnit(accessUnit: unit, byteRange: offset..<offset + bytes.count))
    }

    /// Records how many bytes of the last unit a decoder has read, or nil for damage.
    func advance(by byteCount: Int?) { consumed = byteCount }
}
