// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import DABPlus
internal import MPEG4Audio

/// Takes units of DAB+ for damaged whose superframe could not be corrected where they are, and whose syntax is not that of AAC, although their
/// checksum fits.
///
/// A checksum of 16 bits fits one wrong unit in 65 536. The elements of a unit end with it, which those of a wrong one hardly ever do.
struct SuperframeUnitCheck {
    /// The configuration of the stream; nil for other codecs.
    private var configuration: AudioSpecificConfig?
    /// The decoder that parses the units; made for the first one.
    private var decoder: AACDecoder?

    /// Returns the latest event of a parser, that of damage in the place of a wrong unit.
    mutating func checked(_ event: ReaderEvent?, _ parser: DABParser?) -> ReaderEvent? {
        switch event {
        case .configuration(let next)?:
            configuration = next.audioSpecificConfig
            decoder = nil
        case .accessUnit(let unit)? where parser?.place(of: unit)?.isInUncorrectableWords == true && !isWhole(unit.accessUnit.payload):
            return .skipped(SkippedBytes(byteRange: unit.byteRange, reason: .damagedUnit))
        default: break
        }
        return event
    }

    /// Returns whether the elements of a unit end where it ends, but for zeros that fill its superframe.
    private mutating func isWhole(_ unit: [UInt8]) -> Bool {
        if decoder == nil, let configuration { decoder = try? AACDecoder(configuration) }
        guard let decoder else { return true }
        guard let byteCount = unit.withSpan({ decoder.blockByteCount($0) }), byteCount <= unit.count else { return false }
        return unit[byteCount...].allSatisfy { $0 == 0 }
    }
}
