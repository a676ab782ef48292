// SPDX-License-Identifier: Apache-2.0

extension OpusConfiguration {
    /// The eight bytes at the start of an identification header.
    package static let signature = Array("OpusHead".utf8)

    /// The size of an identification header without a channel mapping table, in bytes.
    private static let fixedLength = 19

    /// Parses an identification header (RFC 7845 5.1).
    ///
    /// Bytes after the header are ignored, because later versions may add fields.
    ///
    /// - Parameter opusHead: The header, starting with its signature.
    /// - Throws: ``CodecError`` if the bytes are not a header, are truncated, have a version above 15 or describe unsupported channels.
    public init(opusHead: some Collection<UInt8>) throws(CodecError) {
        let bytes = Array(opusHead.prefix(Self.fixedLength + 2 + OpusChannelMapping.maximumChannelCount))
        guard bytes.starts(with: Self.signature) else { throw .missingOpusSignature }
        guard bytes.count >= Self.fixedLength else {
            throw .truncatedConfiguration(availableBits: 8 * bytes.count, neededBits: 8 * Self.fixedLength)
        }
        guard bytes[8] < 16 else { throw .unsupportedVersion(Int(bytes[8]), maximum: 15) }
        let channelCount = Int(bytes[9])
        self.init(
            mapping: try Self.parseMapping(bytes[18...], channelCount: channelCount),
            preSkip: UInt16(bytes[10]) | UInt16(bytes[11]) << 8,
            inputSampleRate: bytes[12..<16].reversed().reduce(0) { $0 << 8 | UInt32($1) },
            outputGain: Int16(bitPattern: UInt16(bytes[16]) | UInt16(bytes[17]) << 8))
    }

    /// Parses a mapping family and, if it is not 0, the following table.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, starting with the mapping family.
    ///   - channelCount: The output channel count.
    /// - Throws: ``CodecError`` if the bytes are truncated or the mapping is unsupported.
    package static func parseMapping(_ bytes: ArraySlice<UInt8>, channelCount: Int) throws(CodecError) -> OpusChannelMapping {
        let bytes = Array(bytes)
        guard let family = bytes.first else { throw .truncatedConfiguration(availableBits: 0, neededBits: 8) }
        // A channel count that the family does not support is rejected before the table is read.
        let usual = try OpusChannelMapping(channelCount: channelCount, family: Int(family))
        guard family != 0 else { return usual }
        guard bytes.count >= 3 + channelCount else {
            throw .truncatedConfiguration(availableBits: 8 * bytes.count, neededBits: 8 * (3 + channelCount))
        }
        return try OpusChannelMapping(
            family: Int(family), streamCount: Int(bytes[1]), coupledCount: Int(bytes[2]), channels: Array(bytes[3..<3 + channelCount]))
    }

    /// The mapping family and, if it is not 0, the channel mapping table.
    package var serializedMapping: [UInt8] {
        guard mapping.family != 0 else { return [0] }
        return [UInt8(mapping.family), UInt8(mapping.streamCount), UInt8(mapping.coupledCount)] + mapping.channels
    }

    /// The identification header, version 1.
    public var opusHead: [UInt8] {
        let gain = UInt16(bitPattern: outputGain)
        return Self.signature + [1, UInt8(channelCount), UInt8(truncatingIfNeeded: preSkip), UInt8(preSkip >> 8)]
            + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: inputSampleRate >> $0) }
            + [UInt8(truncatingIfNeeded: gain), UInt8(gain >> 8)] + serializedMapping
    }
}
