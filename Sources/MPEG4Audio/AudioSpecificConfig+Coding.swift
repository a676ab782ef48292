// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension AudioSpecificConfig {
    private static let sbrSyncExtension: UInt32 = 0x2B7
    private static let psSyncExtension: UInt32 = 0x548

    /// Parses the configuration at the start of `bytes`.
    ///
    /// - Throws: ``/AudioPrimitives/CodecError`` if it is truncated, invalid or unsupported.
    public init(parsing bytes: [UInt8]) throws(CodecError) {
        var reader = BitReader(bytes)
        try self.init(reading: &reader)
    }

    /// Reads a configuration at the reader's position.
    ///
    /// Leaves the reader after the last interpreted bit, which can be before the end of the configuration.
    package init(reading reader: inout BitReader) throws(CodecError) {
        let start = reader.bitPosition
        var type = AudioObjectType(reading: &reader)
        sampleRate = try Self.readSampleRate(&reader)
        let channelCode = Int(reader.read(4))
        extensionConfig = .implicit
        if type == .sbr || type == .parametricStereo {
            extensionConfig = .hierarchical(
                sampleRate: try Self.readSampleRate(&reader), hasParametricStereo: type == .parametricStereo)
            type = AudioObjectType(reading: &reader)
            // BSAC repeats the channel configuration here.
            if type == .erBSAC { throw .unsupportedObjectType(type.rawValue) }
        }
        try reader.checkOverrun()
        guard type.isKnown, type != .sbr, type != .parametricStereo else { throw .reservedObjectType(type.rawValue) }
        objectType = type
        // Builds without USAC (browsers, bare metal) keep its configuration opaque.
        #if !hasFeature(Embedded) || LINNET_USAC
        if type == .usac {
            // The sample rate and channels in `UsacConfig` override those above, which are informative.
            let config = try USACConfig(reading: &reader)
            (sampleRate, channelConfiguration) = (config.sampleRate, ChannelConfiguration(rawValue: channelCode))
            (extensionConfig, specificConfig) = (.absent, .usac(config))
            return
        }
        #endif
        channelConfiguration = ChannelConfiguration(rawValue: channelCode)
        guard channelCode == 0 || channelConfiguration != nil else { throw .unsupportedChannelConfiguration(channelCode) }
        // Like USAC. AAC-LD needs no condition, because it has the same configuration as other types.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if type == .aacELD {
            guard let channels = channelConfiguration else { throw .unsupportedChannelConfiguration(channelCode) }
            (extensionConfig, specificConfig) = (.absent, .enhancedLowDelay(try ELDSpecificConfig(reading: &reader, channels: channels)))
            try Self.readErrorProtection(&reader)
            try reader.checkOverrun()
            return
        }
        #endif
        guard type.hasGASpecificConfig else {
            let bitCount = reader.bitsRemaining
            specificConfig = .opaque(bytes: reader.readBytes(bitCount: bitCount), bitCount: bitCount)
            return
        }
        let generalAudio = try GASpecificConfig(
            reading: &reader, objectType: type, hasProgramConfig: channelCode == 0, alignedTo: start)
        specificConfig = .generalAudio(generalAudio)
        if type.isErrorResilient { try Self.readErrorProtection(&reader) }
        try reader.checkOverrun()
        try readSyncExtension(&reader)
    }

    package func write(to sink: inout some BitSink) {
        let start = sink.bitCount
        if case .hierarchical(_, let hasParametricStereo) = extensionConfig {
            (hasParametricStereo ? AudioObjectType.parametricStereo : .sbr).write(to: &sink)
        } else {
            objectType.write(to: &sink)
        }
        Self.writeSampleRate(sampleRate, to: &sink)
        sink.write(UInt32(channelConfiguration?.rawValue ?? 0), count: 4)
        if case .hierarchical(let outputRate, _) = extensionConfig {
            Self.writeSampleRate(outputRate, to: &sink)
            objectType.write(to: &sink)
        }
        switch specificConfig {
        case .opaque(let bytes, let bitCount): sink.write(bytes, bitCount: bitCount)
        #if !hasFeature(Embedded) || LINNET_USAC
        case .usac(let config): sink.write(config.bytes, bitCount: config.bitCount)
        #endif
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        case .enhancedLowDelay(let config):
            config.write(to: &sink)
            sink.write(0, count: 2)
        #endif
        case .generalAudio(let generalAudio):
            generalAudio.write(to: &sink, objectType: objectType, alignedTo: start)
            if objectType.isErrorResilient { sink.write(0, count: 2) }
            writeSyncExtension(to: &sink)
        }
    }

    /// Returns the configuration as bytes, zero-padded at the end.
    public func serialized() -> [UInt8] {
        var writer = BitWriter(byteCapacity: 16)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads `epConfig`, which is 0 in all known streams.
    ///
    /// 1 sorts an access unit by sensitivity; 2 and 3 add redundancy.
    private static func readErrorProtection(_ reader: inout BitReader) throws(CodecError) {
        let epConfig = Int(reader.read(2))
        guard epConfig == 0 else { throw .unsupportedErrorProtection(epConfig: epConfig) }
    }

    /// Reads a sample rate index or, after the escape value, a 24-bit rate.
    private static func readSampleRate(_ reader: inout BitReader) throws(CodecError) -> Int {
        let code = reader.read(4)
        guard code == SamplingFrequencyIndex.escape else {
            guard let index = SamplingFrequencyIndex(rawValue: Int(code)) else {
                throw .reservedSamplingFrequencyIndex(Int(code))
            }
            return index.hertz
        }
        let rate = Int(reader.read(24))
        try reader.checkOverrun()
        guard sampleRateRange.contains(rate) else { throw .invalidSampleRate(rate, allowed: sampleRateRange) }
        return rate
    }

    /// Writes a standard sample rate as an index and other rates with 24 bits.
    private static func writeSampleRate(_ rate: Int, to sink: inout some BitSink) {
        if let index = SamplingFrequencyIndex(hertz: rate) {
            sink.write(UInt32(index.rawValue), count: 4)
        } else {
            sink.write(SamplingFrequencyIndex.escape, count: 4)
            sink.write(UInt32(rate), count: 24)
        }
    }

    /// Reads backward compatible SBR and PS signalling (`syncExtensionType`), if present.
    private mutating func readSyncExtension(_ reader: inout BitReader) throws(CodecError) {
        guard extensionConfig.signaling != .hierarchical, reader.bitsRemaining >= 16,
            reader.peek(11) == Self.sbrSyncExtension
        else { return }
        reader.skip(11)
        guard AudioObjectType(reading: &reader) == .sbr else { return }
        extensionConfig = .absent
        guard reader.readFlag() else { return try reader.checkOverrun() }
        let outputRate = try Self.readSampleRate(&reader)
        extensionConfig = .backwardCompatible(sampleRate: outputRate, hasParametricStereo: nil)
        try reader.checkOverrun()
        guard reader.bitsRemaining >= 12, reader.peek(11) == Self.psSyncExtension else { return }
        reader.skip(11)
        extensionConfig = .backwardCompatible(sampleRate: outputRate, hasParametricStereo: reader.readFlag())
    }

    /// Writes backward compatible SBR and PS signalling (`syncExtensionType`), if any.
    private func writeSyncExtension(to sink: inout some BitSink) {
        guard extensionConfig.signaling == .backwardCompatible else { return }
        sink.write(Self.sbrSyncExtension, count: 11)
        AudioObjectType.sbr.write(to: &sink)
        guard case .backwardCompatible(let outputRate, let hasParametricStereo) = extensionConfig else { return sink.write(false) }
        sink.write(true)
        Self.writeSampleRate(outputRate, to: &sink)
        guard let hasParametricStereo else { return }
        sink.write(Self.psSyncExtension, count: 11)
        sink.write(hasParametricStereo)
    }
}
