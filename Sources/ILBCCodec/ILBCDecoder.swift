// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A decoder from iLBC frames to 8 kHz speech, with concealment of lost frames (RFC 3951, 4).
public struct ILBCDecoder: Sendable {
    package let mode: ILBCMode

    private var frame: FrameParameters
    private var interpolator: LSFInterpolator
    private var concealment: Concealment
    private var enhancer: Enhancer?
    private var synthesis = PredictionFilter()
    private var highPass: HighPassFilter?

    /// The prediction filters of the previous block.
    ///
    /// The last ones apply to samples that the enhancer delays into this block.
    private var previousFilters: [[Float]]

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - mode: The frame length.
    ///   - isEnhanced: Whether to make the excitation more periodic, which adds delay (4.6).
    ///   - removesLowFrequencies: Whether to apply a 65 Hz high-pass filter (4.8).
    public init(mode: ILBCMode, isEnhanced: Bool = true, removesLowFrequencies: Bool = true) {
        self.mode = mode
        frame = FrameParameters(mode: mode)
        interpolator = LSFInterpolator(mode: mode)
        concealment = Concealment(mode: mode)
        enhancer = isEnhanced ? Enhancer(mode: mode) : nil
        highPass = removesLowFrequencies ? .output() : nil
        previousFilters = interpolator.initialFilters
    }

    /// The delay from encoder input to decoder output in samples: 40 or 80 with the enhancer, otherwise 0.
    public var delay: Int { enhancer == nil ? 0 : mode.enhancementDelay }

    /// Decodes the next frame.
    ///
    /// Conceals empty frames (3.8) and frames with an invalid start state position as if they were lost.
    ///
    /// - Parameter frame: 38 or 50 bytes, depending on the mode.
    /// - Returns: 160 or 240 samples.
    /// - Throws: `CodecError.wrongFrameLength`.
    public mutating func decode(_ frame: [UInt8]) throws(CodecError) -> [Int16] {
        guard frame.count == mode.bytesPerFrame else { throw .wrongFrameLength(byteCount: frame.count, mode: mode) }
        return Self.rounded(decodedSamples(of: frame))
    }

    /// Returns the samples for a lost frame (4.5.2).
    ///
    /// - Returns: 160 or 240 samples.
    public mutating func conceal() -> [Int16] { Self.rounded(concealedSamples()) }

    /// Decodes a frame of the right size without rounding.
    package mutating func decodedSamples(of bytes: [UInt8]) -> [Float] {
        frame.unpack(bytes)
        guard frame.isValid, !frame.isEmpty else { return concealedSamples() }
        let sets = (0..<mode.lsfSetCount).map { LSFQuantizer.frequencies(ofSet: $0, in: frame) }
        let filters = interpolator.filters(for: sets)
        var excitation = ExcitationDecoding.excitation(of: frame, filters: filters)
        concealment.receive(&excitation)
        return output(of: excitation, filters: filters)
    }

    /// Conceals a frame without rounding.
    private mutating func concealedSamples() -> [Float] {
        let filters = [[Float]](repeating: previousFilters[previousFilters.count - 1], count: mode.subblockCount)
        return output(of: concealment.nextSubstitute(), filters: filters)
    }

    /// Returns the speech for a block's excitation and the filters of its sub-blocks (4.6 to 4.8).
    private mutating func output(of excitation: [Float], filters: [[Float]]) -> [Float] {
        var samples = enhancer?.enhance(excitation) ?? excitation
        let length = ILBCMode.subblockLength
        // The filters are delayed like the excitation.
        let late = delay / length
        for subblock in 0..<mode.subblockCount {
            let filter = subblock < late ? previousFilters[mode.subblockCount - late + subblock] : filters[subblock - late]
            synthesis.synthesize(&samples, subblock * length..<(subblock + 1) * length, with: filter)
        }
        previousFilters = filters
        highPass?.filter(&samples)
        return samples
    }

    /// Rounds samples and clips them to 16 bits.
    private static func rounded(_ samples: [Float]) -> [Int16] {
        samples.map { Int16(max(-32768, min(32767, $0.rounded()))) }
    }
}
