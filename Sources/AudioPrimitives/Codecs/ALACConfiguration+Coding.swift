// SPDX-License-Identifier: Apache-2.0

extension ALACConfiguration {
    /// The size of `ALACSpecificConfig`, in bytes.
    private static let specificLength = 24
    /// The size of `ALACChannelLayoutInfo`, in bytes.
    private static let layoutInfoLength = 24
    /// The size of the format atom in the old form, in bytes.
    private static let formatAtomLength = 12
    /// The number of bytes before `ALACSpecificConfig` in an `alac` atom: size, type, version and flags.
    private static let atomHeaderLength = 12

    /// Parses a magic cookie in the plain form, or in the old form with atoms around it (`frma`, `alac` and a terminator).
    ///
    /// - Parameter bytes: The cookie. Unknown trailing data is ignored.
    /// - Throws: ``CodecError``.
    public init(parsing bytes: [UInt8]) throws(CodecError) {
        let start = Self.specificOffset(bytes)
        guard bytes.count - start >= Self.specificLength else {
            throw .truncatedConfiguration(availableBits: 8 * bytes.count, neededBits: 8 * (start + Self.specificLength))
        }
        var reader = BitReader(bytes[start...])
        frameLength = Int(clamping: reader.read(32))
        let version = Int(reader.read(8))
        guard version == 0 else { throw .unsupportedVersion(version, maximum: 0) }
        bitDepth = Int(reader.read(8))
        historyMultiplier = Int(reader.read(8))
        initialHistory = Int(reader.read(8))
        parameterLimit = Int(reader.read(8))
        channelCount = Int(reader.read(8))
        maximumRun = Int(reader.read(16))
        maximumPacketSize = Int(clamping: reader.read(32))
        averageBitRate = Int(clamping: reader.read(32))
        sampleRate = Int(clamping: reader.read(32))
        _ = reader.read(32)
        if FourCharCode(rawValue: reader.read(32)) == "chan" {
            reader.skip(32)
            let tag = reader.read(32)
            channelLayoutTag = reader.hasOverrun ? nil : tag
        }
        try validate()
    }

    /// Validates that the decoder supports all fields.
    ///
    /// - Throws: ``CodecError``.
    package func validate() throws(CodecError) {
        guard Self.frameLengths.contains(frameLength) else { throw .invalidFrameLength(frameLength, allowed: Self.frameLengths) }
        guard Self.bitDepths.contains(bitDepth) else { throw .unsupportedBitDepth(bitDepth, allowed: Self.bitDepths) }
        guard Self.channelCounts.contains(channelCount) else {
            throw .unsupportedChannelCount(channelCount, allowed: Array(Self.channelCounts))
        }
        guard 1...Int(Int32.max) ~= sampleRate else { throw .invalidSampleRate(sampleRate, allowed: 1...Int(Int32.max)) }
    }

    /// Returns the offset of `ALACSpecificConfig` in a cookie of either form.
    private static func specificOffset(_ bytes: [UInt8]) -> Int {
        var offset = 0
        // A plain cookie has the version, bit depth and parameters here, which resemble no atom type.
        if bytes.dropFirst(4).starts(with: "frma".utf8) { offset = formatAtomLength }
        if bytes.dropFirst(offset + 4).starts(with: "alac".utf8) { offset += atomHeaderLength }
        return offset
    }

    /// Writes the plain form of a valid configuration, with 24 bytes, or 48 with a layout.
    package func write(to sink: inout some BitSink) {
        sink.write(UInt32(frameLength), count: 32)
        for number in [0, bitDepth, historyMultiplier, initialHistory, parameterLimit, channelCount] {
            sink.write(UInt32(truncatingIfNeeded: number) & 0xFF, count: 8)
        }
        sink.write(UInt32(truncatingIfNeeded: maximumRun) & 0xFFFF, count: 16)
        for number in [maximumPacketSize, averageBitRate, sampleRate] { sink.write(UInt32(truncatingIfNeeded: number), count: 32) }
        guard let channelLayoutTag else { return }
        for number in [UInt32(Self.layoutInfoLength), FourCharCode("chan").rawValue, 0, channelLayoutTag, 0, 0] {
            sink.write(number, count: 32)
        }
    }

    /// Returns the magic cookie in the plain form, with 24 bytes, or 48 with a layout.
    public func serialized() -> [UInt8] {
        var writer = BitWriter(byteCapacity: 48)
        write(to: &writer)
        return writer.bytes
    }

    /// Returns the magic cookie in the old form of QuickTime files: a format atom, the `alac` atom and a terminator.
    package func serializedAsAtoms() -> [UInt8] {
        var writer = BitWriter(byteCapacity: 80)
        for number in [UInt32(Self.formatAtomLength), FourCharCode("frma").rawValue, FourCharCode("alac").rawValue] {
            writer.write(number, count: 32)
        }
        for number in [UInt32(Self.atomHeaderLength + Self.specificLength), FourCharCode("alac").rawValue, 0] {
            writer.write(number, count: 32)
        }
        write(to: &writer)
        for number: UInt32 in [8, 0] { writer.write(number, count: 32) }
        return writer.bytes
    }
}
