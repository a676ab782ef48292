// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// The MPEG Surround 2-1-2 decoder of one element: converts the hybrid bands of a downmix and an optional residual to two outputs
/// (ISO/IEC 23003-3, 7.11).
package struct SurroundSynthesis: ~Copyable {
    private let configuration: MPEGSurround212Config
    /// Whether there is a second core channel.
    private let hasResidual: Bool
    /// The number of time slots per frame.
    let qmfSlotCount: Int
    private var reader: SurroundReader
    /// The last data read.
    private var reading = SurroundFrame()
    private var frame = SurroundFrame()
    private var matrices: SurroundMatrices
    private var decorrelator: SurroundDecorrelator
    private var shaper = SurroundShaper()
    /// The hybrid analysis of the downmix's lowest subbands.
    var split: HybridAnalysis
    /// The hybrid analysis of the residual's lowest subbands.
    var residualSplit: HybridAnalysis
    package var downmix: SurroundSignal
    var residual: SurroundSignal
    private var decorrelated: SurroundSignal
    /// The outputs, which initially contain only the parts from the downmix and the residual.
    package private(set) var output: SurroundPair
    /// The parts of the outputs from the decorrelated signal.
    ///
    /// Used only with temporal shaping.
    private var wet: SurroundPair

    /// Creates a decoder for the first frame.
    package init(_ configuration: MPEGSurround212Config, hasResidual: Bool, qmfSlotCount: Int) {
        self.configuration = configuration
        self.hasResidual = hasResidual
        self.qmfSlotCount = qmfSlotCount
        reader = SurroundReader(configuration, slotCount: qmfSlotCount)
        matrices = SurroundMatrices(configuration, hasResidual: hasResidual, qmfSlotCount: qmfSlotCount)
        decorrelator = SurroundDecorrelator(hybridBandsOf: configuration, qmfSlotCount: qmfSlotCount)
        split = HybridAnalysis(qmfSlotCount: qmfSlotCount)
        residualSplit = HybridAnalysis(qmfSlotCount: qmfSlotCount)
        downmix = SurroundSignal(qmfSlotCount: qmfSlotCount)
        residual = SurroundSignal(qmfSlotCount: qmfSlotCount)
        decorrelated = SurroundSignal(qmfSlotCount: qmfSlotCount)
        output = SurroundPair(qmfSlotCount: qmfSlotCount)
        wet = SurroundPair(qmfSlotCount: qmfSlotCount)
        frame.slots[0] = UInt8(qmfSlotCount - 1)
    }

    /// The gain of the downmix and the residual.
    var inputGain: Float {
        configuration.fixedGain == 7 ? 4 : Float(PortableMath.powerOfTwo(Double(configuration.fixedGain) / 4))
    }

    /// The number of hybrid bands up to the last with a residual.
    var residualHybridCount: Int {
        guard hasResidual else { return 0 }
        let map = SurroundTables.mapStart(bandCount: configuration.bandCount)
        return (0..<SurroundTables.hybridBandCount).last { Int(SurroundTables.bandMaps[map + $0]) < configuration.residualBandCount }
            .map { $0 + 1 } ?? 0
    }

    /// Reads `Mps212Data`.
    ///
    /// - Throws: `CodecError.invalidSurroundData`.
    package mutating func read(from bits: inout BitReader, isIndependent: Bool) throws(CodecError) {
        do throws(InvalidSurroundData) {
            try reader.read(&reading, from: &bits, isIndependent: isIndependent)
        } catch {
            throw .invalidSurroundData
        }
    }

    package mutating func startFrame() {
        reader.commit()
        swap(&frame, &reading)
    }

    /// Starts a frame that replaces a lost one.
    mutating func concealFrame() { reader.conceal(&frame) }

    /// Computes the outputs of a frame from ``downmix`` and ``residual``.
    package mutating func mix() {
        matrices.compute(frame)
        decorrelator.decorrelate(downmix, transients: frame.transients, into: &decorrelated)
        if frame.transients != 0 { addTransients() }
        let isShaped = configuration.temporalShaping == 1 || configuration.temporalShaping == 2
        for qmfSlot in 0..<qmfSlotCount { mixQMFSlot(qmfSlot, isShaped: isShaped) }
        if isShaped { for qmfSlot in 0..<qmfSlotCount { shape(qmfSlot) } }
        split.advance(qmfSlotCount: qmfSlotCount)
        residualSplit.advance(qmfSlotCount: qmfSlotCount)
    }

    /// Adds the time slots that TSD routes around the decorrelator.
    private mutating func addTransients() {
        for qmfSlot in 0..<qmfSlotCount where frame.transients >> UInt64(qmfSlot) & 1 != 0 {
            let turn = Double(frame.transientPhases[qmfSlot]) / 4
            let (cosine, sine) = (Float(CircularFunctions.cosinePi(turn)), Float(CircularFunctions.sinePi(turn)))
            for band in 7..<SurroundTables.hybridBandCount {
                let value = downmix[band, qmfSlot]
                decorrelated[band, qmfSlot] += SIMD2(value.x * cosine - value.y * sine, value.x * sine + value.y * cosine)
            }
        }
    }

    /// Mixes a time slot to the outputs, or to their dry and wet parts.
    private mutating func mixQMFSlot(_ qmfSlot: Int, isShaped: Bool) {
        let (stride, bandCount) = (SurroundSignal.qmfSlotStride, SurroundTables.hybridBandCount)
        let start = SurroundTables.mapStart(bandCount: configuration.bandCount)
        let table = SurroundTables.bandMaps
        let map = table.span.extracting(start..<start + bandCount)
        let isTurned = matrices.isTurned
        let all = matrices.matrices.span
        let downmix = downmix.values.span.extracting(stride * qmfSlot..<stride * (qmfSlot + 1))
        let decorrelated = decorrelated.values.span.extracting(stride * qmfSlot..<stride * (qmfSlot + 1))
        let residual = residual.values.span.extracting(stride * qmfSlot..<stride * (qmfSlot + 1))
        let residualCount = hasResidual ? configuration.residualBandCount : 0
        var outputs = output.values.mutableSpan
        var wets = wet.values.mutableSpan
        var output = outputs._mutatingExtracting(SurroundPair.qmfSlotStride * qmfSlot..<SurroundPair.qmfSlotStride * (qmfSlot + 1))
        var wet = wets._mutatingExtracting(SurroundPair.qmfSlotStride * qmfSlot..<SurroundPair.qmfSlotStride * (qmfSlot + 1))
        for band in 0..<bandCount {
            let parameterBand = Int(map[band])
            let matrix = all[parameterBand &* qmfSlotCount &+ qmfSlot]
            let isResidual = parameterBand < residualCount
            let value = SIMD2(downmix[2 &* band], downmix[2 &* band &+ 1])
            let other =
                isResidual
                ? SIMD2(residual[2 &* band], residual[2 &* band &+ 1]) : SIMD2(decorrelated[2 &* band], decorrelated[2 &* band &+ 1])
            var first = SIMD4(value.x, value.y, value.x, value.y) * matrix.fromDownmix
            var second = SIMD4(other.x, other.y, other.x, other.y) * matrix.fromOther
            if isTurned {
                // The lowest two bands have negative frequencies.
                let sign: Float = band < 2 ? -1 : 1
                first += SIMD4(-value.y, value.x, -value.y, value.x) * (matrix.imaginaryFromDownmix * sign)
                second += SIMD4(-other.y, other.x, -other.y, other.x) * (matrix.imaginaryFromOther * sign)
            }
            if isShaped && !isResidual {
                output[band] = first
                wet[band] = second
            } else {
                output[band] = first + second
                if isShaped { wet[band] = SIMD4(repeating: 0) }
            }
        }
    }

    /// Adds the shaped wet parts of a time slot to the dry parts.
    private mutating func shape(_ qmfSlot: Int) {
        guard configuration.temporalShaping == 1 else { return shapeEnvelopes(qmfSlot) }
        let scales = shaper.scales(dry: output, wet: wet, qmfSlot: qmfSlot)
        for channel in 0..<2 {
            if frame.shapes(channel) {
                SurroundShaper.add(wet, to: &output, channel, qmfSlot: qmfSlot, scale: scales[channel])
            } else {
                add(channel, qmfSlot)
            }
        }
    }

    /// Adds the wet parts of a time slot with GES.
    private mutating func shapeEnvelopes(_ qmfSlot: Int) {
        let source = shaper.envelope(0, SurroundShaper.energies { downmix[$0, qmfSlot] })
        var own = SIMD2<Float>()
        for channel in 0..<2 {
            let energies = SurroundShaper.energies { output.value(channel, $0, qmfSlot) + wet.value(channel, $0, qmfSlot) }
            own[channel] = shaper.envelope(channel + 1, energies)
        }
        for channel in 0..<2 {
            if frame.shapes(channel) {
                SurroundShaper.add(wet, to: &output, channel, qmfSlot: qmfSlot, gain: gain(channel, qmfSlot, source, own[channel]))
            } else {
                add(channel, qmfSlot)
            }
        }
    }

    /// Returns the GES gain of an output in a time slot.
    private func gain(_ channel: Int, _ qmfSlot: Int, _ source: Float, _ own: Float) -> Float {
        let exponent = Double(frame.reshaping[64 * channel + qmfSlot]) / Double(configuration.envelopeQuantization + 2) - 1
        return own > 0 ? Float(PortableMath.powerOfTwo(exponent)) * source / own : 1
    }

    /// Adds the wet part of an output in a time slot.
    private mutating func add(_ channel: Int, _ qmfSlot: Int) {
        for band in 0..<SurroundTables.hybridBandCount {
            output.set(output.value(channel, band, qmfSlot) + wet.value(channel, band, qmfSlot), channel, band, qmfSlot)
        }
    }
}
