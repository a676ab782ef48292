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
    private var isCut: Bool

    /// The most bytes of an access unit.
    private static let unitLimit = 24_576

    /// Continues a reader that has read the header; `isCut`: of a file that is cut off.
    init<Bytes: ByteSource>(_ opened: RawBlockReader<Bytes>, isCut: Bool = false) throws {
        configuration = opened.configuration
        guard let frameLength = configuration.frameLength else { throw ContainerError.unknownFrameLength(of: configuration.objectType) }
        self.frameLength = frameLength
        self.isCut = isCut
        offset = opened.offset
        var reader = opened
        step = { consumed in
            // After damage nothing tells where the next block begins.
            guard let consumed else { return [] }
            if consumed > 0 { reader.advance(by: consumed) }
            return try reader.window()
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
