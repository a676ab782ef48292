// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Hands out the raw data blocks of an ADIF file, whose ends only a decoder knows.
final class ADIFSource {
    private let step: (Int?) throws -> ArraySlice<UInt8>
    private let configuration: AudioSpecificConfig
    private var isAnnounced = false
    private var consumed: Int? = 0
    private var offset = 0
    private var unitCount = 0

    /// As many bytes as a decoder takes at once.
    private static let unitLimit = 24_576

    init<Bytes: ByteSource>(_ opened: ADIFReader<Bytes>) throws {
        configuration = opened.configuration
        offset = opened.offset
        var reader = opened
        step = { consumed in
            if let consumed {
                if consumed > 0 { reader.advance(by: consumed) }
                return try reader.window()
            }
            // Behind damage nothing tells where the next block begins.
            return []
        }
    }

    func next() throws -> ReaderEvent? {
        guard isAnnounced else {
            isAnnounced = true
            return .configuration(configuration)
        }
        let bytes = try step(consumed).prefix(Self.unitLimit)
        offset += consumed ?? 0
        consumed = nil
        guard !bytes.isEmpty else { return nil }
        let duration = configuration.frameLength ?? 1024
        let time = MediaTime(value: Int64(unitCount * duration), timescale: Int32(clamping: configuration.sampleRate))
        unitCount += 1
        let unit = AccessUnit(payload: Array(bytes), presentationTime: time, duration: duration)
        return .accessUnit(CodedUnit(accessUnit: unit, byteRange: offset..<offset + bytes.count))
    }

    func advance(by byteCount: Int?) { consumed = byteCount }
}
