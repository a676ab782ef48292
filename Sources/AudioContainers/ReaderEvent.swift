// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import MPEG4Audio

/// An event of reading a container, in stream order.
public enum ReaderEvent: Hashable, Sendable {
    /// The configuration of the following access units, before the first one and at each change.
    case configuration(CodecConfiguration)
    /// An access unit with its position.
    case accessUnit(DemuxedAccessUnit)
    /// Bytes without an access unit.
    case skipped(SkippedBytes)

    /// The reason why a frame is unsupported, or `nil` for other events.
    package var refusal: ContainerError? {
        guard case .skipped(let part) = self, case .unsupportedConfiguration(let error) = part.reason else { return nil }
        return error
    }
}

/// An access unit with its position in the container.
public struct DemuxedAccessUnit: Hashable, Sendable {
    /// The access unit.
    public var accessUnit: AccessUnit

    /// The range of the access unit in the stream, including its own header.
    public var byteRange: Range<Int>

    /// The position of the payload's first bit, from the start of an ADTS, LOAS, MP4 or CAF file; `nil` in other containers.
    package var payloadBit: Int?

    /// The number of consecutive raw data blocks in the payload.
    ///
    /// More than 1 only in ADTS without checksums, where the container does not signal their ends.
    public var rawDataBlockCount = 1

    /// The ADTS header, in ADTS streams.
    public var adtsHeader: ADTSHeader?

    /// The ADTS checksum.
    ///
    /// Verifying it requires the element spans from a decoder.
    public var checksum: UInt16?

    /// Decoded sample frames at the start and end that are not part of the signal, as Ogg signals them.
    ///
    /// Readers of whole files also report them in ``ContainerMetadata/gaplessInfo``, which takes precedence.
    public var trim = UnitTrim()

    package init(accessUnit: AccessUnit, byteRange: Range<Int>) {
        self.accessUnit = accessUnit
        self.byteRange = byteRange
    }

    /// Returns whether the checksum matches the payload, or `nil` without a checksum.
    ///
    /// `elements` are the spans of all elements in the payload, as found by a decoder.
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
    /// The number of sample frames at the start.
    public var leading = 0
    /// The number of sample frames at the end.
    public var trailing = 0

    package init() {}
}

/// A range of bytes without an access unit.
public struct SkippedBytes: Hashable, Sendable {
    /// Why bytes are skipped.
    public enum Reason: Hashable, Sendable {
        /// An ID3v2 tag.
        case id3v2Tag
        /// An ID3v1 tag at the end of the stream.
        case id3v1Tag
        /// An APE tag.
        case apeTag
        /// Unrecognised bytes or a damaged frame.
        case unrecognized
        /// A frame cut off by the end of the stream.
        case truncatedFrame
        /// Access units that the index places beyond the end of the file.
        case afterEnd(unitCount: Int)
        /// Access units missing inside the stream, as the numbers and times of its pages, fragments or clusters, or false offsets show, or
        /// that have the configuration of another sample entry.
        case missing(unitCount: Int)
        /// An ADTS frame with invalid block positions or an invalid checksum of them.
        case damagedBlockPositions
        /// An access unit with an invalid checksum.
        case damagedUnit
        /// A frame that precedes its configuration.
        case missingConfiguration
        /// A frame with an unsupported configuration.
        case unsupportedConfiguration(ContainerError)
    }

    /// The range, counted from the start of the stream.
    public var byteRange: Range<Int>

    /// Why the bytes were skipped.
    public var reason: Reason

    package init(byteRange: Range<Int>, reason: Reason) {
        self.byteRange = byteRange
        self.reason = reason
    }

    /// The number of access units beyond the end of the file.
    package var unitCountAfterEnd: Int {
        if case .afterEnd(let count) = reason { count } else { 0 }
    }

    /// The number of access units missing inside the stream.
    package var missingUnitCount: Int {
        if case .missing(let count) = reason { count } else { 0 }
    }

    /// Whether access units were probably lost: `true` except for tags.
    public var isDamage: Bool {
        switch reason {
        case .id3v2Tag, .id3v1Tag, .apeTag: false
        case .unrecognized, .truncatedFrame, .afterEnd, .missing, .damagedBlockPositions, .damagedUnit, .missingConfiguration,
            .unsupportedConfiguration:
            true
        }
    }
}

/// The former name of ``DemuxedAccessUnit``.
@available(*, deprecated, renamed: "DemuxedAccessUnit")
public typealias CodedUnit = DemuxedAccessUnit
