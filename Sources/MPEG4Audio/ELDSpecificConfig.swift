// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The AAC-ELD part of the configuration (`ELDSpecificConfig`, ISO/IEC 14496-3:2009, 4.4.1.3 and 4.6.20).
package struct ELDSpecificConfig: Hashable, Sendable {
    /// Whether the frame length is 480 instead of 512 samples per channel (`frameLengthFlag`).
    package var usesShortFrame: Bool
    package var resilience: ErrorResilience
    /// Low-delay SBR, if present (`ldSbrPresentFlag`).
    package var sbr: LowDelaySBR?
    package var extensions: [Extension]

    package struct LowDelaySBR: Hashable, Sendable {
        /// Whether the output sample rate is twice the core rate (`ldSbrSamplingRate`).
        package var isDualRate: Bool
        /// Whether SBR data have a checksum per element (`ldSbrCrcFlag`).
        package var hasChecksum: Bool
        /// The headers of all SCEs and CPEs, in element order.
        package var headers: [Header]

        package init(isDualRate: Bool, hasChecksum: Bool = false, headers: [Header]) {
            self.isDualRate = isDualRate
            self.hasChecksum = hasChecksum
            self.headers = headers
        }
    }

    /// The bits of an `sbr_header` (ISO/IEC 14496-3:2009, 4.4.2.8).
    package struct Header: Hashable, Sendable {
        /// The bits, right-aligned.
        package var bits: UInt32
        /// The number of bits: 16, plus 5 and 6 for the two optional groups of fields.
        package var bitCount: Int

        package init(bits: UInt32, bitCount: Int) {
            self.bits = bits
            self.bitCount = bitCount
        }

        fileprivate init(reading reader: inout BitReader) {
            bits = reader.read(16)
            bitCount = 16
            // The last two bits signal the groups that follow.
            let flags = bits
            for (flag, count) in [(UInt32(2), 5), (1, 6)] where flags & flag != 0 {
                bits = bits << UInt32(count) | reader.read(count)
                bitCount += count
            }
        }
    }

    /// An extension (`eldExtType`).
    package struct Extension: Hashable, Sendable {
        /// Low-delay MPEG Surround (`ELDEXT_LDSAC`).
        package static let lowDelaySurround = 2

        /// The extension type, 1 to 15.
        package var type: Int
        package var bytes: [UInt8]

        /// Creates an extension of at most 65 805 bytes.
        package init(type: Int, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }
    }

    static let maximumExtensionCount = 15

    package init(
        usesShortFrame: Bool = false, resilience: ErrorResilience = ErrorResilience(), sbr: LowDelaySBR? = nil, extensions: [Extension] = []
    ) {
        self.usesShortFrame = usesShortFrame
        self.resilience = resilience
        self.sbr = sbr
        self.extensions = extensions
    }

    /// The number of core samples per access unit, 512 or 480.
    package var frameLength: Int { usesShortFrame ? 480 : 512 }

    /// The low-delay MPEG Surround configuration of AAC-ELD v2, which upmixes a mono core to stereo, if any.
    package var surroundBytes: [UInt8]? { extensions.first { $0.type == Extension.lowDelaySurround }?.bytes }
}

/// The flags of the error-resilient tools (ISO/IEC 14496-3:2009, 4.5.1.1).
package struct ErrorResilience: Hashable, Sendable {
    /// Virtual codebooks (`aacSectionDataResilienceFlag`).
    package var hasVirtualCodebooks = false
    /// Reversible variable-length coding of scale factors (`aacScalefactorDataResilienceFlag`).
    package var hasReversibleScaleFactors = false
    /// Reordered spectral codewords (`aacSpectralDataResilienceFlag`).
    package var hasReorderedSpectrum = false

    /// Creates flags that are all `false`.
    package init() {}

    init(reading reader: inout BitReader) {
        hasVirtualCodebooks = reader.readFlag()
        hasReversibleScaleFactors = reader.readFlag()
        hasReorderedSpectrum = reader.readFlag()
    }

    func write(to sink: inout some BitSink) {
        sink.write(hasVirtualCodebooks)
        sink.write(hasReversibleScaleFactors)
        sink.write(hasReorderedSpectrum)
    }
}

extension ELDSpecificConfig {
    /// Reads a configuration.
    ///
    /// - Parameter channels: Determines the number of SBR headers.
    init(reading reader: inout BitReader, channels: ChannelConfiguration) throws(CodecError) {
        usesShortFrame = reader.readFlag()
        resilience = ErrorResilience(reading: &reader)
        extensions = []
        if reader.readFlag() {
            var sbr = LowDelaySBR(isDualRate: reader.readFlag(), hasChecksum: reader.readFlag(), headers: [])
            for element in channels.elements where element != .lowFrequency { sbr.headers.append(Header(reading: &reader)) }
            self.sbr = sbr
        }
        while true {
            let type = Int(reader.read(4))
            guard type != 0 else { return }
            guard extensions.count < Self.maximumExtensionCount else { throw .tooManyELDExtensions(maximum: Self.maximumExtensionCount) }
            var length = Int(reader.read(4))
            if length == 15 {
                let added = Int(reader.read(8))
                length += added
                if added == 255 { length += Int(reader.read(16)) }
            }
            extensions.append(Extension(type: type, bytes: try reader.readBytes(length)))
        }
    }

    func write(to sink: inout some BitSink) {
        sink.write(usesShortFrame)
        resilience.write(to: &sink)
        sink.write(sbr != nil)
        if let sbr {
            sink.write(sbr.isDualRate)
            sink.write(sbr.hasChecksum)
            for header in sbr.headers { sink.write(header.bits, count: header.bitCount) }
        }
        for item in extensions {
            let length = item.bytes.count
            sink.write(UInt32(item.type), count: 4)
            sink.write(UInt32(min(length, 15)), count: 4)
            if length >= 15 { sink.write(UInt32(min(length - 15, 255)), count: 8) }
            if length >= 270 { sink.write(UInt32(length - 270), count: 16) }
            sink.write(item.bytes)
        }
        sink.write(0, count: 4)
    }
}
