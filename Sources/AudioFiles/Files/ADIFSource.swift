// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Reads the raw data blocks of an ADIF file, or of a CAF file truncated before its packet table.
///
/// Only a decoder can find the block ends.
final class ADIFSource {
    private let step: (Int?) throws -> ArraySlice<UInt8>
    private let configuration: AudioSpecificConfig
    /// The number of core sample frames per access unit.
    private let frameLength: Int
    private var isAnnounced = false
    private var consumed: Int? = 0
    private var offset = 0
    private var accessUnitCount = 0
    /// Whether the file is truncated, which is reported at the end.
    private var isCut: Bool

    /// The maximum size of an access unit, in bytes.
    private static let unitLimit = 24_576

    /// Continues a reader that has read the header.
    ///
    /// `isCut` marks a truncated file.
    init<Bytes: ByteSource>(_ opened: RawBlockReader<Bytes>, isCut: Bool = false) throws {
        configuration = opened.configuration
        guard let frameLength = configuration.frameLength else { throw ContainerError.unknownFrameLength(of: configuration.objectType) }
        self.frameLength = frameLength
        self.isCut = isCut
        offset = opened.offset
        var reader = opened
        step = { consumed in
            // After damage, the start of the next block is unknown.
            guard let consumed else { return [] }
            if consumed > 0 { reader.advance(by: consumed) }
            return try reader.window()
        }
    }

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
        let time = MediaTime(value: Int64(accessUnitCount * frameLength), timescale: Int32(clamping: configuration.sampleRate))
        accessUnitCount += 1
        let accessUnit = AccessUnit(payload: Array(bytes), presentationTime: time, duration: frameLength)
        return .accessUnit(DemuxedAccessUnit(accessUnit: accessUnit, byteRange: offset..<offset + bytes.count))
    }

    /// Records the number of bytes that a decoder has read of the latest access unit, or `nil` for damage.
    func advance(by byteCount: Int?) { consumed = byteCount }
}
