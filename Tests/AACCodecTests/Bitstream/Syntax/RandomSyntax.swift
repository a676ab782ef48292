// SPDX-License-Identifier: Apache-2.0

import AACCodec
import MPEG4Audio
import TestSupport
import TransformCoding

/// Random valid syntax structures.
enum RandomSyntax {
    static func info(_ bands: ScaleFactorBands, _ random: inout SeededRandom) -> ICSInfo {
        var info = ICSInfo()
        info.windowSequence = WindowSequence(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .onlyLong
        info.windowShape = Bool.random(using: &random) ? .sine : .kaiserBesselDerived
        let count = bands.count(for: info.windowSequence)
        info.maxSFB = Bool.random(using: &random) ? count : Int.random(in: 0...count, using: &random)
        if info.isShort { info.setGrouping(UInt32.random(in: 0...127, using: &random)) }
        return info
    }

    /// A channel with the given `ics_info`.
    ///
    /// Only a common window permits intensity.
    static func stream(
        info: ICSInfo, bands: ScaleFactorBands, allowsIntensity: Bool, _ random: inout SeededRandom
    ) -> IndividualChannelStream {
        var stream = IndividualChannelStream(frameLength: bands.frameLength)
        stream.info = info
        stream.globalGain = Int.random(in: 100...180, using: &random)
        setBands(of: &stream, allowsIntensity: allowsIntensity, &random)
        setLines(of: &stream, bands: bands, &random)
        if !info.isShort && Int.random(in: 0..<4, using: &random) == 0 { stream.pulse = pulse(bands, &random) }
        if Bool.random(using: &random) { stream.tns = tns(isShort: info.isShort, &random) }
        return stream
    }

    private static func setBands(of stream: inout IndividualChannelStream, allowsIntensity: Bool, _ random: inout SeededRandom) {
        var scaleFactor = stream.globalGain
        var position = 0
        var energy = stream.globalGain - 90
        var isFirstNoise = true
        var codebook: UInt8 = 0
        for group in 0..<stream.info.groupCount {
            for sfb in 0..<stream.info.maxSFB {
                let band = group * ICSInfo.bandStride + sfb
                if Int.random(in: 0..<3, using: &random) == 0 {
                    repeat { codebook = UInt8.random(in: 0...15, using: &random) } while codebook == 12 || codebook > 13 && !allowsIntensity
                }
                stream.codebooks[band] = codebook
                switch codebook {
                case 0: break
                case 13:
                    let step = isFirstNoise ? 100 : 60
                    energy = Int.random(in: max(-100, energy - step)...min(155, energy + step), using: &random)
                    isFirstNoise = false
                    stream.scaleFactors[band] = Int16(energy)
                case 14, 15:
                    position = Int.random(in: max(-155, position - 60)...min(100, position + 60), using: &random)
                    stream.scaleFactors[band] = Int16(position)
                default:
                    scaleFactor = Int.random(in: max(0, scaleFactor - 60)...min(255, scaleFactor + 60), using: &random)
                    stream.scaleFactors[band] = Int16(scaleFactor)
                }
            }
        }
    }

    private static func setLines(of stream: inout IndividualChannelStream, bands: ScaleFactorBands, _ random: inout SeededRandom) {
        var line = 0
        for group in 0..<stream.info.groupCount {
            let windows = stream.info.isShort ? Int(stream.info.groupLengths[group]) : 1
            let start = line
            for sfb in 0..<stream.info.maxSFB {
                let isShort = stream.info.isShort
                let end = isShort ? Int(bands.shortOffsets[sfb + 1]) : Int(bands.longOffsets[sfb + 1])
                let codebook = Int(stream.codebooks[group * ICSInfo.bandStride + sfb])
                var largest = codebook >= 1 && codebook <= 11 ? SpectralCodebook(number: codebook).maximumMagnitude : 0
                if Bool.random(using: &random) { largest = min(largest, 20) }
                while line < start + end * windows {
                    stream.quantized[line] = Int16(Int.random(in: -largest...largest, using: &random))
                    line += 1
                }
            }
            line = start + windows * bands.shortLength
            if !stream.info.isShort { line = bands.frameLength }
        }
    }

    private static func pulse(_ bands: ScaleFactorBands, _ random: inout SeededRandom) -> PulseData {
        var pulse = PulseData()
        pulse.count = Int.random(in: 1...4, using: &random)
        pulse.startBand = Int.random(in: 0..<bands.longCount / 2, using: &random)
        for index in 0..<pulse.count {
            pulse.offsets[index] = UInt8.random(in: 0...31, using: &random)
            pulse.amplitudes[index] = UInt8.random(in: 0...15, using: &random)
        }
        return pulse
    }

    private static func tns(isShort: Bool, _ random: inout SeededRandom) -> TNSData {
        var data = TNSData()
        for window in 0..<(isShort ? 8 : 1) {
            data.filterCounts[window] = UInt8.random(in: 0...(isShort ? 1 : 3), using: &random)
            guard data.filterCounts[window] > 0 else { continue }
            let resolution = UInt8.random(in: 3...4, using: &random)
            data.resolutions[window] = resolution
            for index in 0..<Int(data.filterCounts[window]) {
                var filter = TNSFilter()
                filter.length = UInt8.random(in: 0...(isShort ? 15 : 63), using: &random)
                filter.order = UInt8.random(in: 0...(isShort ? 7 : 12), using: &random)
                if filter.order > 0 {
                    filter.isDownward = Bool.random(using: &random)
                    filter.isCompressed = Bool.random(using: &random)
                    let limit: Int8 = 1 << Int8(Int(resolution) - (filter.isCompressed ? 2 : 1))
                    for place in 0..<Int(filter.order) {
                        filter.coefficients[place] = Int8.random(in: -limit..<limit, using: &random)
                    }
                }
                data[window, index] = filter
            }
        }
        return data
    }

    static func pair(_ bands: ScaleFactorBands, _ random: inout SeededRandom) -> ChannelPairElement {
        var element = ChannelPairElement(frameLength: bands.frameLength)
        element.instanceTag = Int.random(in: 0...15, using: &random)
        element.hasCommonWindow = Bool.random(using: &random)
        let firstInfo = info(bands, &random)
        let secondInfo = element.hasCommonWindow ? firstInfo : info(bands, &random)
        if element.hasCommonWindow {
            element.midSide.kind = MidSideMask.Kind(rawValue: UInt8.random(in: 0...2, using: &random)) ?? .none
            if element.midSide.kind == .perBand {
                for group in 0..<firstInfo.groupCount {
                    for sfb in 0..<firstInfo.maxSFB {
                        element.midSide.flags[group * ICSInfo.bandStride + sfb] = Bool.random(using: &random)
                    }
                }
            }
        }
        element.first = stream(info: firstInfo, bands: bands, allowsIntensity: false, &random)
        element.second = stream(info: secondInfo, bands: bands, allowsIntensity: element.hasCommonWindow, &random)
        return element
    }

    /// A pair of moderate level, without noise and long-ringing filters, so that a model can reproduce it.
    static func quietPair(
        _ bands: ScaleFactorBands, _ random: inout SeededRandom, sequence: WindowSequence? = nil
    ) -> ChannelPairElement {
        var pair = self.pair(bands, &random)
        while pair.first.info.maxSFB < 10 || sequence != nil && pair.first.info.windowSequence != sequence {
            pair = self.pair(bands, &random)
        }
        quiet(&pair.first, &random)
        quiet(&pair.second, &random)
        // Intensity copies the left channel after M/S decoding, so it must not be louder.
        for band in 0..<128 where pair.second.codebooks[band] >= 14 {
            pair.second.scaleFactors[band] = Int16.random(in: 0...20, using: &random)
        }
        return pair
    }

    static func copy(_ source: borrowing IndividualChannelStream) -> IndividualChannelStream {
        var copy = IndividualChannelStream(frameLength: source.quantized.count)
        copy.globalGain = source.globalGain
        copy.info = source.info
        copy.codebooks.copy(source.codebooks)
        copy.usedCodebooks = source.usedCodebooks
        copy.scaleFactors.copy(source.scaleFactors)
        copy.pulse = source.pulse
        copy.tns = source.tns
        copy.quantized.copy(source.quantized)
        return copy
    }

    private static func quiet(_ stream: inout IndividualChannelStream, _ random: inout SeededRandom) {
        stream.globalGain = 110
        for band in 0..<128 {
            if stream.codebooks[band] == 13 { stream.codebooks[band] = 0 }
            if stream.codebooks[band] < 12 { stream.scaleFactors[band] = Int16.random(in: 90...130, using: &random) }
        }
        for line in stream.quantized.indices { stream.quantized[line] = Int16(Int(stream.quantized[line]) % 64) }
        guard var tns = stream.tns else { return }
        for window in 0..<stream.info.windowCount {
            let limit: Int8 = tns.resolutions[window] == 3 ? 1 : 2
            for number in 0..<Int(tns.filterCounts[window]) {
                var filter = tns[window, number]
                for place in 0..<Int(filter.order) { filter.coefficients[place] = Int8.random(in: -limit..<limit, using: &random) }
                tns[window, number] = filter
            }
        }
        stream.tns = tns
    }
}
