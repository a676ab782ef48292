// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Encodes speech at 8 kHz as iLBC (RFC 3951 3).
///
/// Each frame is coded by itself apart from the memories of its filters, so that a decoder recovers right after a loss.
public struct ILBCEncoder: Sendable {
    /// The mode of the frames.
    package let mode: ILBCMode

    private var highPass: HighPassFilter?
    private var lpc: LPCAnalysis
    /// Interpolates the frequencies before their quantisation, for the perceptual weighting.
    private var interpolator: LSFInterpolator
    /// Interpolates the quantised frequencies, as the decoder does.
    private var quantizedInterpolator: LSFInterpolator
    private var analysis = PredictionFilter()

    /// The factor that smooths the spectrum of the weighting filter (`LPC_CHIRP_WEIGHTDENUM`, 3.4).
    private static let weightingChirp: Float = 0.4222

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - mode: The length of the frames.
    ///   - removesLowFrequencies: Whether a high-pass filter at 90 Hz removes an offset and hum from the input (3.1).
    public init(mode: ILBCMode, removesLowFrequencies: Bool = true) {
        self.mode = mode
        highPass = removesLowFrequencies ? .input() : nil
        lpc = LPCAnalysis(mode: mode)
        interpolator = LSFInterpolator(mode: mode)
        quantizedInterpolator = LSFInterpolator(mode: mode)
    }

    /// Encodes the next block.
    ///
    /// - Parameter samples: 160 or 240 samples at 8 kHz, as the mode has it.
    /// - Returns: A frame of 38 or 50 bytes.
    /// - Throws: `CodecError.wrongBlockLength`.
    public mutating func encode(_ samples: [Int16]) throws(CodecError) -> [UInt8] {
        guard samples.count == mode.samplesPerFrame else { throw .wrongBlockLength(sampleCount: samples.count, mode: mode) }
        var block = samples.map { Float($0) }
        highPass?.filter(&block)
        return parameters(of: block).packed()
    }

    /// Returns the parameters of a block.
    private mutating func parameters(of block: [Float]) -> FrameParameters {
        var frame = FrameParameters(mode: mode)
        let sets = lpc.frequencies(of: block)
        for (number, set) in sets.enumerated() { LSFQuantizer.quantize(set, set: number, into: &frame) }
        let weighting = interpolator.filters(for: sets).map { PredictionFilter.expand($0, by: Self.weightingChirp) }
        let quantized = quantizedInterpolator.filters(for: sets.indices.map { LSFQuantizer.frequencies(ofSet: $0, in: frame) })
        let residual = residual(of: block, with: quantized)
        let state = StateSelection.select(in: residual, mode: mode)
        frame.stateBlock = state.block
        frame.isStateFirst = state.isStateFirst
        let position = StatePosition(of: frame)
        StateQuantizer.quantize(residual, at: position, quantized: quantized, weighting: weighting, into: &frame)
        var coded = [Float](repeating: 0, count: block.count)
        coded.replaceSubrange(position.samples, with: StateQuantizer.reconstruct(frame, with: quantized[position.firstSubblock]))
        for (number, segment) in CodebookSegment.all(mode: mode, position: position).enumerated() {
            let search = CodebookSearch(segment, residual: residual, coded: coded, weighting: weighting[segment.subblock])
            search.encode(number: number, into: &frame)
            // Later segments are coded from the decoded one.
            ExcitationDecoding.decode(segment, number: number, of: frame, into: &coded)
        }
        return frame
    }

    /// Returns the residual of the prediction with the quantised filters (3.3).
    private mutating func residual(of block: [Float], with filters: [[Float]]) -> [Float] {
        var residual = block
        for (subblock, filter) in filters.enumerated() {
            let start = subblock * ILBCMode.subblockLength
            analysis.analyze(&residual, start..<start + ILBCMode.subblockLength, with: filter)
        }
        return residual
    }
}
