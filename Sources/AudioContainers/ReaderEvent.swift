// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// One step of reading a container, in the order of the stream.
public enum ReaderEvent: Hashable, Sendable {
    /// The configuration of the units that follow; comes before the first and at each change.
    case configuration(AudioSpecificConfig)
    /// An access unit.
    case accessUnit(CodedUnit)
    /// Bytes that hold no access unit.
    case skipped(SkippedBytes)
}

/// An access unit, and where it was found.
public struct CodedUnit: Hashable, Sendable {
    /// What goes to the decoder.
    public var accessUnit: AccessUnit

    /// The bytes of the unit in the stream, with the header that is its own.
    public var byteRange: Range<Int>

    /// Raw data blocks in the payload, one after the other; more than 1 only in ADTS without checksums, where the container
    /// does not tell where one ends.
    public var rawDataBlockCount = 1

    /// The header, in ADTS.
    public var adtsHeader: ADTSHeader?

    /// The checksum that came with the unit; a decoder has the places of the elements to check it.
    public var checksum: UInt16?

    /// Makes a unit with one raw data block.
    public init(accessUnit: AccessUnit, byteRange: Range<Int>) {
        self.accessUnit = accessUnit
        self.byteRange = byteRange
    }

    /// Whether the checksum fits the payload; nil without a checksum.
    ///
    /// `elements` are the places of all elements in the payload, as a decoder finds them.
    public func isChecksumValid(elements: [ElementSpan]) -> Bool? {
        guard let checksum, let adtsHeader else { return nil }
        let payload = accessUnit.payload
        return checksum
            == (adtsHeader.rawDataBlockCount == 1
                ? ADTSChecksum.value(header: adtsHeader, payload: payload, elements: elements)
                : ADTSChecksum.value(block: payload, elements: elements))
    }
}

/// A run of bytes that a reader passed over.
public struct SkippedBytes: Hashable, Sendable {
    /// Why bytes were passed over.
    public enum Reason: Hashable, Sendable {
        /// An ID3v2 tag.
        case id3v2Tag
        /// An ID3v1 tag at the end.
        case id3v1Tag
        /// An APE tag.
        case apeTag
        /// Nothing that the container knows: garbage, or a damaged frame.
        case unrecognized
        /// A frame that the stream ends in.
        case truncatedFrame
        /// A frame whose block positions or their checksum are wrong.
        case damagedBlockPositions
        /// A frame that needs a configuration which has not come yet.
        case missingConfiguration
        /// A frame with a configuration that can't be read here.
        case unsupportedConfiguration(ContainerError)
    }

    /// The bytes, counted from the start of the stream.
    public var byteRange: Range<Int>

    /// Why they were passed over.
    public var reason: Reason

    /// Makes a report.
    public init(byteRange: Range<Int>, reason: Reason) {
        self.byteRange = byteRange
        self.reason = reason
    }

    /// Whether sound was probably lost: everything but tags.
    public var isDamage: Bool {
        switch reason {
        case .id3v2Tag, .id3v1Tag, .apeTag: false
        case .unrecognized, .truncatedFrame, .damagedBlockPositions, .missingConfiguration, .unsupportedConfiguration: true
        }
    }
}
