// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TransformCoding
import USACCodec

/// Writing of the linear prediction domain, which no encoder of the library uses.
extension CoreElementData {
    /// Writes the data of a frame in any domain.
    func writeAny(to sink: inout some BitSink, isIndependent: Bool, contexts: inout FixedArray<SpectralContext>) {
        guard (0..<channels.count).contains(where: { channels[$0].isLinearPrediction }) else {
            return write(to: &sink, isIndependent: isIndependent, contexts: &contexts)
        }
        for channel in 0..<channels.count { sink.write(channels[channel].isLinearPrediction) }
        for channel in 0..<channels.count {
            if channels[channel].isLinearPrediction {
                channels[channel].prediction.write(to: &sink, isIndependent: isIndependent, context: &contexts[channel])
            } else {
                sink.write(channels[channel].hasTNS)
                channels[channel].writeFrequencyDomain(
                    to: &sink, bands: bands, conditions(isIndependent), writesTNS: channels[channel].hasTNS, context: &contexts[channel])
            }
        }
    }
}

extension LPDChannelData {
    /// Writes the structure.
    ///
    /// - Parameter context: The arithmetic coder's context after the previous frame.
    func write(to sink: inout some BitSink, isIndependent: Bool, context: inout SpectralContext) {
        sink.write(UInt32(coreMode), count: 3)
        sink.write(UInt32(mode), count: 5)
        sink.write(hasPostFilter)
        sink.write(continuesPrediction)
        sink.write(hasAliasingData)
        writeQuarters(to: &sink, isIndependent: isIndependent, context: &context)
        writeSets(to: &sink)
        guard !continuesPrediction && hasAliasingData else { return }
        sink.write(aliasing[0].count == lines.count / 16)
        sink.write(UInt32(aliasing[0].gain), count: 7)
        aliasing[0].writeCoefficients(to: &sink)
    }

    /// The code for ``modes`` (`lpd_mode`).
    private var mode: Int {
        if let combined = Self.combinedModes.firstIndex(of: modes) { return 16 + combined }
        return (0..<4).reduce(0) { $0 | Int(modes[$1]) << $1 }
    }

    /// Writes ACELP and TCX of all quarters.
    private func writeQuarters(to sink: inout some BitSink, isIndependent: Bool, context: inout SpectralContext) {
        var quarter = 0
        var isFirstTCX = true
        var wasACELP = false
        while quarter < 4 {
            let isACELP = modes[quarter] == 0
            if quarter == 0 ? continuesPrediction && hasAliasingData : isACELP != wasACELP {
                aliasing[quarter].writeCoefficients(to: &sink)
            }
            wasACELP = isACELP
            guard !isACELP else {
                sink.write(UInt32(meanEnergies[quarter]), count: 2)
                for index in 0..<lines.count / 256 { subframes[4 * quarter + index].write(to: &sink, coreMode: coreMode) }
                quarter += 1
                continue
            }
            sink.write(UInt32(noiseFactors[quarter]), count: 3)
            sink.write(UInt32(globalGains[quarter]), count: 7)
            if isFirstTCX && !isIndependent { sink.write(resetsContext) }
            let length = (lines.count / 4) << Int(modes[quarter] - 1)
            if isFirstTCX && resetsContext { context.reset(lineCount: length) } else { context.resize(lineCount: length) }
            isFirstTCX = false
            let first = quarter * (lines.count / 4)
            SpectralArithmeticEncoder.encode(
                lines.span.extracting(first..<first + length), lineCount: length, pairCount: Int(codedPairs[quarter]), context: &context,
                to: &sink)
            quarter += 1 << Int(modes[quarter] - 1)
        }
    }

    /// Writes `lpc_data`.
    private func writeSets(to sink: inout some BitSink) {
        sets[4].write(to: &sink)
        if !continuesPrediction {
            sink.write(sets[0].isRelative)
            sets[0].write(to: &sink)
        }
        if modes[0] < 3 {
            sink.write(sets[2].isRelative)
            sets[2].write(to: &sink)
        }
        if modes[0] < 2 {
            switch sets[1].prediction {
            case .relative: sink.write(0b0, count: 1)
            case .absolute: sink.write(0b10, count: 2)
            case .mean: sink.write(0b11, count: 2)
            }
            sets[1].write(to: &sink)
        }
        guard modes[2] < 2 else { return }
        switch sets[3].prediction {
        case .mean: sink.write(0b0, count: 1)
        case .absolute: sink.write(0b10, count: 2)
        case .relative(let set): sink.write(set == 4 ? 0b111 : 0b110, count: 3)
        }
        sets[3].write(to: &sink)
    }
}

extension ACELPSubframe {
    func write(to sink: inout some BitSink, coreMode: Int) {
        sink.write(UInt32(lagIndex), count: hasWholeLag ? 9 : 6)
        sink.write(isUnfiltered)
        for field in 0..<8 { sink.write(UInt32(innovation[field]), count: Int(Self.widths[coreMode][field])) }
        sink.write(UInt32(gainIndex), count: 7)
    }
}

extension LineSpectralData {
    /// Writes a set, after its mode code.
    func write(to sink: inout some BitSink) {
        guard hasResidual else { return }
        if case .absolute = prediction { sink.write(UInt32(index), count: 8) }
        LatticeQuantizer.writeNumbers(lower.number, upper.number, mode: form, to: &sink)
        lower.write(to: &sink)
        upper.write(to: &sink)
    }

    /// Whether the set is predicted from another set.
    var isRelative: Bool {
        if case .relative = prediction { return true }
        return false
    }
}

extension LatticeQuantizer {
    /// Writes the codebook numbers of two vectors in form `mode`.
    static func writeNumbers(_ first: Int, _ second: Int, mode: Int, to sink: inout some BitSink) {
        guard mode != 1 else {
            writeUnaryNumber(first, to: &sink)
            writeUnaryNumber(second, to: &sink)
            return
        }
        for number in [first, second] { sink.write(2...4 ~= number ? UInt32(number - 2) : 3, count: 2) }
        for number in [first, second] where !(2...4 ~= number) {
            if mode == 2 {
                writeUnary(number == 0 ? 0 : number - 4, to: &sink)
            } else {
                writeUnary(number == 0 ? 2 : number < 7 ? number - 5 : number - 4, to: &sink)
            }
        }
    }
}
