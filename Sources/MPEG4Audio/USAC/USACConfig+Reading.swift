// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

extension BitReader {
    /// Reads an `escapedValue` of up to three parts (ISO/IEC 23003-3, 5.2) and returns their sum.
    ///
    /// - Parameters:
    ///   - first: The size of the first part in bits. Its maximum value signals the second part.
    ///   - second: The size of the second part in bits. Its maximum value signals the third part.
    ///   - third: The size of the third part in bits, or 0 for none.
    package mutating func readEscapedValue(_ first: Int, _ second: Int, _ third: Int) -> Int {
        var value = Int(read(first))
        guard value == 1 << first - 1 else { return value }
        let more = Int(read(second))
        value += more
        guard third > 0, more == 1 << second - 1 else { return value }
        return value + Int(read(third))
    }
}

extension USACConfig {
    /// The sample rates in hertz by `usacSamplingFrequencyIndex`, with 0 for reserved codes (ISO/IEC 23003-3, 6.1.1).
    static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350, 0, 0, 57_600, 51_200,
        40_000, 38_400, 34_150, 28_800, 25_600, 20_000, 19_200, 17_075, 14_400, 12_800, 9_600, 0, 0, 0, 0,
    ]

    /// Parses the configuration at the start of `bytes`, as in an audio pre-roll.
    ///
    /// - Throws: `CodecError` if the configuration is truncated or not valid in any profile.
    package init(parsing bytes: [UInt8]) throws(CodecError) {
        var reader = BitReader(bytes)
        try self.init(reading: &reader)
    }

    /// Reads a configuration and leaves the reader after its last bit.
    ///
    /// - Throws: `CodecError` if the configuration is truncated or not valid in any profile.
    package init(reading reader: inout BitReader) throws(CodecError) {
        var start = reader
        (sampleRate, isRateExplicit) = try Self.readSampleRate(&reader)
        frameLengthIndex = Int(reader.read(3))
        guard frameLengthIndex <= 4 else { throw .reservedUSACFrameLength(index: frameLengthIndex) }
        let ratio = frameLengthIndex
        channelConfigurationIndex = Int(reader.read(5))
        var positions: [UInt8] = []
        if channelConfigurationIndex == 0 {
            let count = reader.readEscapedValue(5, 8, 16)
            guard count <= Self.maximumChannelCount else {
                throw .unsupportedChannelCount(count, allowed: Array(1...Self.maximumChannelCount))
            }
            for _ in 0..<count { positions.append(UInt8(reader.read(5))) }
        }
        outputPositions = positions
        elements = try Self.readElements(&reader, hasSBR: ratio >= 2)
        extensions = try Self.readExtensions(&reader, start: start.bitPosition)
        try reader.checkOverrun()
        loudness = extensions.first { $0.type == .loudnessInfo }.flatMap { LoudnessInfoSet(parsing: $0.bytes) }
        bitCount = reader.bitPosition - start.bitPosition
        bytes = start.readBytes(bitCount: bitCount)
        let count = elements.reduce(0) { $0 + $1.channelCount }
        guard (1...Self.maximumChannelCount).contains(count) else {
            throw .unsupportedChannelCount(count, allowed: Array(1...Self.maximumChannelCount))
        }
    }

    private static func readSampleRate(_ reader: inout BitReader) throws(CodecError) -> (Int, isExplicit: Bool) {
        let index = Int(reader.read(5))
        let rate = index == 31 ? Int(reader.read(24)) : rates[index]
        try reader.checkOverrun()
        let range = AudioSpecificConfig.sampleRateRange
        guard range.contains(rate) else {
            if index < 31 { throw .reservedSamplingFrequencyIndex(index) }
            throw .invalidSampleRate(rate, allowed: range)
        }
        return (rate, index == 31)
    }

    /// Reads `UsacDecoderConfig`.
    private static func readElements(_ reader: inout BitReader, hasSBR: Bool) throws(CodecError) -> [USACElementConfig] {
        let count = reader.readEscapedValue(4, 8, 16) + 1
        guard count <= maximumElementCount else { throw .tooManyUSACElements(count, maximum: maximumElementCount) }
        var elements: [USACElementConfig] = []
        for _ in 0..<count {
            elements.append(try USACElementConfig(reading: &reader, hasSBR: hasSBR))
            try reader.checkOverrun()
        }
        return elements
    }

    /// Reads `UsacConfigExtension`, if present.
    ///
    /// - Parameter start: The reader position of the configuration, in bits.
    private static func readExtensions(_ reader: inout BitReader, start: Int) throws(CodecError) -> [USACConfigExtension] {
        guard reader.readFlag() else { return [] }
        var extensions: [USACConfigExtension] = []
        for _ in 0...reader.readEscapedValue(2, 4, 8) {
            let type = USACConfigExtension.ExtensionType(rawValue: reader.readEscapedValue(4, 8, 16))
            let length = reader.readEscapedValue(4, 8, 16)
            let first = reader.bitPosition - start
            extensions.append(USACConfigExtension(type: type, bytes: try reader.readBytes(length), firstBit: first))
        }
        return extensions
    }
}

extension USACElementConfig {
    fileprivate init(reading reader: inout BitReader, hasSBR: Bool) throws(CodecError) {
        kind = Kind(rawValue: Int(reader.read(2))) ?? .extension
        switch kind {
        case .lowFrequency: break
        case .extension: try readExtension(&reader)
        case .single, .pair:
            guard !reader.readFlag() else { throw .unsupportedTool(.timeWarpedTransform) }
            hasNoiseFilling = reader.readFlag()
            guard hasSBR else { return }
            sbr = USACSBRConfig(reading: &reader)
            guard kind == .pair else { return }
            stereoConfigIndex = Int(reader.read(2))
            if stereoConfigIndex > 0 {
                surround = try MPEGSurround212Config(reading: &reader, hasResidual: stereoConfigIndex > 1)
            }
        }
    }

    private mutating func readExtension(_ reader: inout BitReader) throws(CodecError) {
        extensionType = USACExtensionType(rawValue: reader.readEscapedValue(4, 8, 16))
        let length = reader.readEscapedValue(4, 8, 16)
        if reader.readFlag() { defaultLength = reader.readEscapedValue(8, 16, 0) + 1 }
        isFragmented = reader.readFlag()
        extensionConfig = try reader.readBytes(length)
    }
}

extension USACSBRConfig {
    /// Reads `SbrConfig`, for which every bit pattern is valid.
    fileprivate init(reading reader: inout BitReader) {
        isHarmonic = reader.readFlag()
        hasInterTES = reader.readFlag()
        hasPVC = reader.readFlag()
        defaultHeader = USACSBRHeaderFields(reading: &reader)
    }
}

extension USACSBRHeaderFields {
    /// Reads `SbrDfltHeader` or `SbrHeader`, which have the same fields.
    ///
    /// Every bit pattern is valid.
    package init(reading reader: inout BitReader) {
        self.init()
        startFrequency = Int(reader.read(4))
        stopFrequency = Int(reader.read(4))
        hasFrequencyFields = reader.readFlag()
        hasLimiterFields = reader.readFlag()
        if hasFrequencyFields {
            frequencyScale = Int(reader.read(2))
            altersScale = reader.readFlag()
            noiseBands = Int(reader.read(2))
        }
        if hasLimiterFields {
            limiterBands = Int(reader.read(2))
            limiterGains = Int(reader.read(2))
            interpolatesFrequency = reader.readFlag()
            smoothsGains = !reader.readFlag()
        }
    }
}

extension MPEGSurround212Config {
    /// Reads `Mps212Config`.
    fileprivate init(reading reader: inout BitReader, hasResidual: Bool) throws(CodecError) {
        let resolution = Int(reader.read(3))
        guard resolution > 0 else { throw .invalidSurroundData }
        bandCount = Self.bandCounts[resolution]
        fixedGain = Int(reader.read(3))
        temporalShaping = Int(reader.read(2))
        decorrelation = Int(reader.read(2))
        guard decorrelation < 3 else { throw .invalidSurroundData }
        isHighRate = reader.readFlag()
        hasPhaseCoding = reader.readFlag()
        let defaults = [28: 10, 20: 10, 14: 7, 10: 5, 7: 3, 5: 2, 4: 2]
        sentPhaseBandCount = reader.readFlag() ? Int(reader.read(5)) : nil
        phaseBandCount = sentPhaseBandCount ?? defaults[bandCount] ?? 2
        guard phaseBandCount <= bandCount else { throw .invalidSurroundData }
        if hasResidual {
            residualBandCount = Int(reader.read(5))
            isPseudoLeftRight = reader.readFlag()
            guard residualBandCount <= bandCount else { throw .invalidSurroundData }
            phaseBandCount = max(phaseBandCount, residualBandCount)
        }
        if temporalShaping == 2 { envelopeQuantization = Int(reader.read(1)) }
    }
}
