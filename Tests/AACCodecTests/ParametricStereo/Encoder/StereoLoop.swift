// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TransformCoding

/// Passes two channels through the encoder's downmix and parameters and the decoder's synthesis, in the QMF domain.
final class StereoLoop {
    private var banks = StereoFilterBanks(SlotLayout(coreFrameLength: 1024))
    private var output = StereoDownmixOutput(SlotLayout(coreFrameLength: 1024), qmfSlotDelay: 0, mergesQMFSlots: false)
    private var lastMono = SubbandSlots(SlotLayout(coreFrameLength: 1024))
    private var downmix = StereoDownmix(qmfSlotCount: 32, isFast: false)
    private var encoder: StereoParameterEncoder
    private var header: ParametricStereoHeader?
    private var low = LowBandSlots(SlotLayout(coreFrameLength: 1024))
    private var synthesis = ParametricStereoSynthesis(SlotLayout(coreFrameLength: 1024))
    /// The core samples of the last frame.
    private(set) var core = [Float](repeating: 0, count: 1024)
    /// The indices decoded from the written data.
    private var envelopes = StereoEnvelopes()
    private var nextEnvelopes = StereoEnvelopes()
    /// The parameters of the last frame.
    private var data = ParametricStereoData()
    private var readData = ParametricStereoData()
    /// Energies by stereo band of the decoder's input and output, since the last ``resetHistory()``.
    private(set) var monoEnergy = [Float](repeating: 0, count: 20)
    private(set) var leftEnergy = [Float](repeating: 0, count: 20)
    private(set) var rightEnergy = [Float](repeating: 0, count: 20)
    /// Energies by stereo band of the encoder's input in the same frames.
    private(set) var leftExpected = [Float](repeating: 0, count: 20)
    private(set) var rightExpected = [Float](repeating: 0, count: 20)
    private var frameCount = 0
    /// The total size of all data, in bits.
    private(set) var bitCount = 0

    init(_ settings: StereoCodingSettings) { encoder = StereoParameterEncoder(settings, qmfSlotCount: 32) }

    /// Processes a frame of 2048 samples.
    ///
    /// The output belongs to the previous frame.
    func pass(_ leftSamples: [Float], _ rightSamples: [Float]) {
        banks.load(left: leftSamples.span, right: rightSamples.span)
        lastMono.copy(output.qmfSlots)
        output.begin(newCount: 32)
        downmix.mix(banks, into: &output, synthesizesCore: true)
        output.take(newCount: 32) { samples in for index in 0..<1024 { core[index] = samples[index] } }
        banks.advance()
        encoder.encode(&output.statistics, from: 64, hasHeader: frameCount % 16 == 0, into: &data)
        frameCount += 1
        bitCount += read()
        decode()
        let ones = [SIMD4<Float>](repeating: SIMD4(repeating: 1), count: 32)
        output.sumStatistics(ones)
        for band in 0..<20 {
            leftExpected[band] += output.statistics.sums(band).left
            rightExpected[band] += output.statistics.sums(band).right
        }
    }

    /// Returns the decoded coherence of a band in the first envelope of the last frame.
    func coherence(ofBand band: Int) -> Int8 { envelopes.coherence[band] }

    func resetHistory() {
        let nothing = [Float](repeating: 0, count: 20)
        (monoEnergy, leftEnergy, rightEnergy) = (nothing, nothing, nothing)
        (leftExpected, rightExpected) = (nothing, nothing)
    }

    private func read() -> Int {
        var writer = BitWriter()
        data.write(to: &writer)
        var reader = BitReader(writer.bytes)
        if readData.read(from: &reader, after: header) {
            header = readData.header
            if nextEnvelopes.decode(readData, after: envelopes, qmfSlotCount: 32) {
                swap(&envelopes, &nextEnvelopes)
            } else {
                envelopes.repeatLast(qmfSlotCount: 32)
            }
        }
        return writer.bitCount
    }

    private func decode() {
        // From time slot 6 of the previous frame to 5 of this one: the decoder's next frame.
        for qmfSlot in stride(from: 0, to: 32, by: 4) {
            low.store(bandCount: 32, qmfSlot: qmfSlot) { row in lowRow(qmfSlot, row) }
        }
        synthesis.load(low)
        synthesis.begin(data)
        var bands = [ComplexVector](repeating: .zero, count: 64)
        var rightBands = bands
        for qmfSlot in stride(from: 0, to: 32, by: 4) {
            var span = bands.mutableSpan
            lastMono.collect(qmfSlot, into: &span)
            Self.add(span.span, to: &monoEnergy)
            var rightSpan = rightBands.mutableSpan
            synthesis.synthesize(&span, right: &rightSpan, qmfSlot: qmfSlot, qmfSlotCount: 4)
            Self.add(span.span, to: &leftEnergy)
            Self.add(rightSpan.span, to: &rightEnergy)
        }
        synthesis.advance()
        synthesis.advanceAnalysis()
        low.advance()
    }

    private func lowRow(_ qmfSlot: Int, _ row: Int) -> LowBandSlots.Row {
        var reals = [SIMD4<Float>]()
        var imaginaries = [SIMD4<Float>]()
        for lane in 0..<4 {
            let source = qmfSlot + lane + 6
            let index = 16 * (source % 32) + row
            reals.append(source < 32 ? lastMono.real[index] : output.qmfSlots.real[index])
            imaginaries.append(source < 32 ? lastMono.imaginary[index] : output.qmfSlots.imaginary[index])
        }
        return ((reals[0], reals[1], reals[2], reals[3]), (imaginaries[0], imaginaries[1], imaginaries[2], imaginaries[3]))
    }

    /// Adds energies of the QMF subbands that are not split further.
    ///
    /// Lower subbands count for their largest part's band.
    private static func add(_ bands: Span<ComplexVector>, to energies: inout [Float]) {
        for subband in 0..<64 {
            let band = subband < 3 ? 2 * subband : StereoBands.bands20.stereoBand(ofSubband: subband)
            energies[band] += (bands[subband].real * bands[subband].real + bands[subband].imaginary * bands[subband].imaginary).sum()
        }
    }
}

extension StereoDownmixOutput {
    /// Sums the statistics over time slots starting at 64.
    fileprivate mutating func sumStatistics(_ weights: [SIMD4<Float>]) { statistics.sum(from: 64, weights: weights.span) }
}

extension SubbandSlots {
    /// Copies a frame of 32 time slots.
    fileprivate mutating func copy(_ other: borrowing SubbandSlots) {
        for index in 0..<32 * Self.rowCount {
            real[index] = other.real[index]
            imaginary[index] = other.imaginary[index]
        }
    }

    /// Writes four time slots starting at `qmfSlot`, one per lane, to 64 subbands.
    func collect(_ qmfSlot: Int, into bands: inout MutableSpan<ComplexVector>) {
        let reals = real.span.extracting(Self.rowCount &* qmfSlot..<Self.rowCount &* qmfSlot &+ 64)
        let imaginaries = imaginary.span.extracting(Self.rowCount &* qmfSlot..<Self.rowCount &* qmfSlot &+ 64)
        var bands = bands._mutatingExtracting(0..<64)
        for row in 0..<Self.rowCount {
            let r = SIMD4<Float>.transposed(reals[row], reals[row &+ 16], reals[row &+ 32], reals[row &+ 48])
            let i = SIMD4<Float>.transposed(
                imaginaries[row], imaginaries[row &+ 16], imaginaries[row &+ 32], imaginaries[row &+ 48])
            bands[4 &* row] = ComplexVector(r.0, i.0)
            bands[4 &* row &+ 1] = ComplexVector(r.1, i.1)
            bands[4 &* row &+ 2] = ComplexVector(r.2, i.2)
            bands[4 &* row &+ 3] = ComplexVector(r.3, i.3)
        }
    }
}
