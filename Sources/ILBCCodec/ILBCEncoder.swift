// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// An iLBC encoder for 8 kHz speech (RFC 3951, 3).
///
/// Frames are independent except for filter memories, so decoders recover quickly from losses.
public struct ILBCEncoder: Sendable {
    package let mode: ILBCMode

    private var highPass: HighPassFilter?
    private var lpc: LPCAnalysis
    /// Interpolates unquantised frequencies for perceptual weighting.
    private var interpolator: LSFInterpolator
    /// Interpolates quantised frequencies, like the decoder.
    private var quantizedInterpolator: LSFInterpolator
    private var analysis = PredictionFilter()

    /// The chirp factor that smooths the weighting filter's spectrum (`LPC_CHIRP_WEIGHTDENUM`, 3.4).
    private static let weightingChirp: Float = 0.4222

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - mode: The frame length.
    ///   - removesLowFrequencies: Whether to remove DC offset and hum with a 90 Hz high-pass filter (3.1).
    public init(mode: ILBCMode, removesLowFrequencies: Bool = true) {
        self.mode = mode
        highPass = removesLowFrequencies ? .input() : nil
        lpc = LPCAnalysis(mode: mode)
        interpolator = LSFInterpolator(mode: mode)
        quantizedInterpolator = LSFInterpolator(mode: mode)
    }

    /// Encodes the next block.
    ///
    /// - Parameter samples: 160 or 240 samples at 8 kHz, depending on the mode.
    /// - Returns: A frame of 38 or 50 bytes.
    /// - Throws: `CodecError.wrongBlockLength`.
    public mutating func encode(_ samples: [Int16]) throws(CodecError) -> [UInt8] {
        guard samples.count == mode.samplesPerFrame else { throw .wrongBlockLength(sampleCount: samples.count, mode: mode) }
        var block = samples.map { Float($0) }
        highPass?.filter(&block)
        return parameters(of: block).packed()
    }

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
            // Later segments are predicted from the decoded one.
            ExcitationDecoding.decode(segment, number: number, of: frame, into: &coded)
        }
        return frame
    }

    /// Returns the prediction residual with the quantised filters (3.3).
    private mutating func residual(of block: [Float], with filters: [[Float]]) -> [Float] {
        var residual = block
        for (subblock, filter) in filters.enumerated() {
            let start = subblock * ILBCMode.subblockLength
            analysis.analyze(&residual, start..<start + ILBCMode.subblockLength, with: filter)
        }
        return residual
    }
}
