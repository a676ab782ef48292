// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

extension BitSink {
    /// Writes an `escapedValue` of up to three parts (see ``BitReader/readEscapedValue(_:_:_:)``).
    package mutating func writeEscapedValue(_ value: Int, _ first: Int, _ second: Int, _ third: Int) {
        var rest = value
        for bits in [first, second, third] where bits > 0 {
            let largest = 1 << bits - 1
            let part = min(rest, largest)
            write(UInt32(part), count: bits)
            rest -= part
            if part < largest { return }
        }
        precondition(rest == 0, "too large for an escaped value")
    }
}

extension USACConfig {
    /// Writes the configuration, bit-exactly if it was read.
    package func write(to sink: inout some BitSink) {
        let index = isRateExplicit ? nil : Self.rates.firstIndex(of: sampleRate)
        sink.write(UInt32(index ?? 31), count: 5)
        if index == nil { sink.write(UInt32(sampleRate), count: 24) }
        sink.write(UInt32(frameLengthIndex), count: 3)
        sink.write(UInt32(channelConfigurationIndex), count: 5)
        if channelConfigurationIndex == 0 {
            sink.writeEscapedValue(outputPositions.count, 5, 8, 16)
            for position in outputPositions { sink.write(UInt32(position), count: 5) }
        }
        sink.writeEscapedValue(elements.count - 1, 4, 8, 16)
        for element in elements { element.write(to: &sink, hasSBR: sbrRatio != .none) }
        sink.write(!extensions.isEmpty)
        guard !extensions.isEmpty else { return }
        sink.writeEscapedValue(extensions.count - 1, 2, 4, 8)
        for item in extensions {
            sink.writeEscapedValue(item.type.rawValue, 4, 8, 16)
            sink.writeEscapedValue(item.bytes.count, 4, 8, 16)
            sink.write(item.bytes)
        }
    }
}

extension USACElementConfig {
    fileprivate func write(to sink: inout some BitSink, hasSBR: Bool) {
        sink.write(UInt32(kind.rawValue), count: 2)
        switch kind {
        case .lowFrequency: break
        case .extension: writeExtension(to: &sink)
        case .single, .pair:
            // No time-warped transform.
            sink.write(false)
            sink.write(hasNoiseFilling)
            guard hasSBR else { return }
            (sbr ?? USACSBRConfig()).write(to: &sink)
            guard kind == .pair else { return }
            sink.write(UInt32(stereoConfigIndex), count: 2)
            if stereoConfigIndex > 0 { (surround ?? MPEGSurround212Config()).write(to: &sink, hasResidual: stereoConfigIndex > 1) }
        }
    }

    private func writeExtension(to sink: inout some BitSink) {
        sink.writeEscapedValue(extensionType.rawValue, 4, 8, 16)
        sink.writeEscapedValue(extensionConfig.count, 4, 8, 16)
        sink.write(defaultLength > 0)
        if defaultLength > 0 { sink.writeEscapedValue(defaultLength - 1, 8, 16, 0) }
        sink.write(isFragmented)
        sink.write(extensionConfig)
    }
}

extension USACSBRConfig {
    /// Writes `SbrConfig`.
    fileprivate func write(to sink: inout some BitSink) {
        sink.write(isHarmonic)
        sink.write(hasInterTES)
        sink.write(hasPVC)
        defaultHeader.write(to: &sink)
    }
}

extension USACSBRHeaderFields {
    /// Writes `SbrDfltHeader` or `SbrHeader`.
    package func write(to sink: inout some BitSink) {
        sink.write(UInt32(startFrequency), count: 4)
        sink.write(UInt32(stopFrequency), count: 4)
        sink.write(hasFrequencyFields)
        sink.write(hasLimiterFields)
        if hasFrequencyFields {
            sink.write(UInt32(frequencyScale), count: 2)
            sink.write(altersScale)
            sink.write(UInt32(noiseBands), count: 2)
        }
        if hasLimiterFields {
            sink.write(UInt32(limiterBands), count: 2)
            sink.write(UInt32(limiterGains), count: 2)
            sink.write(interpolatesFrequency)
            sink.write(!smoothsGains)
        }
    }
}

extension MPEGSurround212Config {
    /// Writes `Mps212Config`.
    fileprivate func write(to sink: inout some BitSink, hasResidual: Bool) {
        sink.write(UInt32(Self.bandCounts.lastIndex(of: bandCount) ?? 1), count: 3)
        sink.write(UInt32(fixedGain), count: 3)
        sink.write(UInt32(temporalShaping), count: 2)
        sink.write(UInt32(decorrelation), count: 2)
        sink.write(isHighRate)
        sink.write(hasPhaseCoding)
        sink.write(sentPhaseBandCount != nil)
        if let sentPhaseBandCount { sink.write(UInt32(sentPhaseBandCount), count: 5) }
        if hasResidual {
            sink.write(UInt32(residualBandCount), count: 5)
            sink.write(isPseudoLeftRight)
        }
        if temporalShaping == 2 { sink.write(UInt32(envelopeQuantization), count: 1) }
    }
}
