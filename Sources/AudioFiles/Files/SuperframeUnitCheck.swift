// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import DABPlus
internal import MPEG4Audio

/// Rejects DAB+ access units that are in uncorrectable code words and have invalid syntax, although their checksum matches.
///
/// A 16-bit checksum accepts one corrupt access unit in 65 536. The elements of an intact access unit end exactly at its end, which is very
/// unlikely for a corrupt one.
struct SuperframeUnitCheck {
    /// The stream's configuration, or `nil` for other codecs.
    private var configuration: AudioSpecificConfig?
    /// The decoder that parses access units, created on first use.
    private var decoder: AACDecoder?

    /// Returns a parser's event, or a damage event instead of a corrupt access unit.
    mutating func checked(_ event: ReaderEvent?, _ parser: DABParser?) -> ReaderEvent? {
        switch event {
        case .configuration(let next)?:
            configuration = next.audioSpecificConfig
            decoder = nil
        case .accessUnit(let demuxed)?
        where parser?.position(of: demuxed)?.isInUncorrectableWords == true && !isWhole(demuxed.accessUnit.payload):
            return .skipped(SkippedBytes(byteRange: demuxed.byteRange, reason: .damagedUnit))
        default: break
        }
        return event
    }

    /// Whether an access unit's elements end at its end, except for zeros that pad the superframe.
    private mutating func isWhole(_ accessUnit: [UInt8]) -> Bool {
        if decoder == nil, let configuration { decoder = try? AACDecoder(configuration) }
        guard let decoder else { return true }
        guard let byteCount = accessUnit.withSpan({ decoder.blockByteCount($0) }), byteCount <= accessUnit.count else { return false }
        return accessUnit[byteCount...].allSatisfy { $0 == 0 }
    }
}
