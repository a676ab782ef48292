// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import MPEG4Audio

/// One step of reading a container, in the order of the stream.
public enum ReaderEvent: Hashable, Sendable {
    /// The configuration of the units that follow; comes before the first and at each change.
    case configuration(CodecConfiguration)
    /// An access unit.
    case accessUnit(CodedUnit)
    /// Bytes that hold no access unit.
    case skipped(SkippedBytes)
}

/// An access unit with its position in the container.
public struct CodedUnit: Hashable, Sendable {
    /// The access unit.
    public var accessUnit: AccessUnit

    /// The bytes of the unit in the stream, with the header that is its own.
    public var byteRange: Range<Int>

    /// Raw data blocks in the payload, one after the other; more than 1 only in ADTS without checksums, where the container
    /// does not tell where one ends.
    public var rawDataBlockCount = 1

    /// The header, in ADTS.
    public var adtsHeader: ADTSHeader?

    /// The checksum of the unit; a decoder finds the spans of the elements that verifying it takes.
    public var checksum: UInt16?

    /// Sample frames at the start and at the end of what the unit decodes to that are not part of the signal, as Ogg says it unit by unit.
    ///
    /// Readers that know it for the whole file say it in ``ContainerMetadata/gaplessInfo`` too, which then counts.
    public var trim = UnitTrim()

    /// Creates a unit with one raw data block.
    package init(accessUnit: AccessUnit, byteRange: Range<Int>) {
        self.accessUnit = accessUnit
        self.byteRange = byteRange
    }

    /// Whether the checksum fits the payload; nil without a checksum.
    ///
    /// `elements` are the spans of all elements in the payload, as a decoder finds them.
    package func isChecksumValid(elements: [ElementSpan]) -> Bool? {
        guard let checksum, let adtsHeader else { return nil }
        let payload = accessUnit.payload
        return checksum
            == (adtsHeader.rawDataBlockCount == 1
                ? ADTSChecksum.value(header: adtsHeader, payload: payload, elements: elements)
                : ADTSChecksum.value(block: payload, elements: elements))
    }
}

/// The decoded sample frames of an access unit that are not part of the signal.
public struct UnitTrim: Hashable, Sendable {
    /// Sample frames at the start.
    public var leading = 0
    /// Sample frames at the end.
    public var trailing = 0

    /// Creates a trim; of no frames by default.
    package init() {}
}

/// A run of bytes without an access unit.
public struct SkippedBytes: Hashable, Sendable {
    /// The reason for which bytes are skipped.
    public enum Reason: Hashable, Sendable {
        /// An ID3v2 tag.
        case id3v2Tag
        /// An ID3v1 tag at the end.
        case id3v1Tag
        /// An APE tag.
        case apeTag
        /// Unrecognised bytes or a damaged frame.
        case unrecognized
        /// A frame that the stream ends in.
        case truncatedFrame
        /// Access units that begin after the end of the file, by the index of the file.
        case afterEnd(unitCount: Int)
        /// A frame whose block positions or their checksum are wrong.
        case damagedBlockPositions
        /// An access unit whose checksum is wrong.
        case damagedUnit
        /// A frame that precedes its configuration.
        case missingConfiguration
        /// A frame with an unsupported configuration.
        case unsupportedConfiguration(ContainerError)
    }

    /// The bytes, counted from the start of the stream.
    public var byteRange: Range<Int>

    /// The reason.
    public var reason: Reason

    /// Creates a run.
    package init(byteRange: Range<Int>, reason: Reason) {
        self.byteRange = byteRange
        self.reason = reason
    }

    /// The number of access units that begin after the end of the file.
    package var unitCountAfterEnd: Int {
        if case .afterEnd(let count) = reason { count } else { 0 }
    }

    /// Whether access units were probably lost: true except for tags.
    public var isDamage: Bool {
        switch reason {
        case .id3v2Tag, .id3v1Tag, .apeTag: false
        case .unrecognized, .truncatedFrame, .afterEnd, .damagedBlockPositions, .damagedUnit, .missingConfiguration,
            .unsupportedConfiguration:
            true
        }
    }
}
