// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import PCMFiles

/// The parameters of a pipeline that do not depend on its input.
struct PipelinePlan {
    var output: PipelineFormat
    /// The output encoding, or `nil` for a lossy encoder, whose input is floating point.
    var encoding: SampleEncoding?
    var options: AudioConverterOptions
    /// The number of leading output frames to discard.
    var framesToSkip = 0

    var quality: SampleRateConverterQuality { options.quality }

    /// Returns the gains from input to output channels.
    ///
    /// - Throws: `CodecError.channelMappingMismatch` if a map or matrix in the options does not fit.
    func matrix(for input: PipelineFormat) throws(CodecError) -> ChannelMatrix {
        let (inputs, outputs) = (input.channels.count, output.channels.count)
        switch options.channels {
        case .automatic:
            var target = output.channels
            // An unknown output layout defaults to the input's, in WAV order.
            if target.layout == nil, outputs == inputs { target.layout = input.channels.layout?.inWAVOrder }
            return ChannelMatrix(from: input.channels, to: target)
        case .map(let map):
            guard map.sources.count == outputs, map.sources.allSatisfy({ ($0 ?? 0) >= 0 && ($0 ?? 0) < inputs }) else {
                throw .channelMappingMismatch(inputs: inputs, outputs: outputs)
            }
            return ChannelMatrix(map, inputCount: inputs)
        case .matrix(let matrix):
            guard matrix.gains.count == outputs, matrix.gains.allSatisfy({ $0.count == inputs }) else {
                throw .channelMappingMismatch(inputs: inputs, outputs: outputs)
            }
            return matrix
        }
    }

    /// Whether double precision is needed to preserve all bits that the output can represent.
    ///
    /// - Parameter inputEncoding: The input encoding, or `nil` for a decoder, which returns single precision.
    func usesDoubles(for input: PipelineFormat, encoding inputEncoding: SampleEncoding?) throws(CodecError) -> Bool {
        // Encoders, and single precision in general, use 24 bits.
        guard let encoding else { return false }
        let isComputed = try computes(input)
        if isComputed && quality == .maximum { return true }
        let isInputLong = inputEncoding.map { $0.precision > 24 } ?? false
        if encoding.isFloat, encoding.precision <= 24 { return false }
        // Rounding twice, to 24 bits and then to fewer, does not round to nearest.
        if isInputLong { return true }
        return encoding.precision >= 24 && (isComputed || options.dither != .none)
    }

    /// Whether samples are computed instead of only copied.
    private func computes(_ input: PipelineFormat) throws(CodecError) -> Bool {
        guard input.sampleRate == output.sampleRate else { return true }
        return !(try matrix(for: input)).isCopy
    }

    /// Whether output samples can be clipped that were within full scale before.
    ///
    /// Copied integers always fit the output.
    func canClip(from input: PipelineFormat, encoding inputEncoding: SampleEncoding?) throws(CodecError) -> Bool {
        guard let encoding, !encoding.isFloat else { return false }
        guard let inputEncoding, !inputEncoding.isFloat else { return true }
        return try computes(input)
    }

    /// Whether integer output has fewer bits than its source samples.
    func losesBits(from input: PipelineFormat, encoding inputEncoding: SampleEncoding?) throws(CodecError) -> Bool {
        guard let encoding, !encoding.isFloat else { return false }
        guard let inputEncoding, !inputEncoding.isFloat, try !computes(input) else { return true }
        return inputEncoding.byteCount > encoding.byteCount
    }
}

extension SampleEncoding {
    /// The number of significant bits per sample.
    var precision: Int {
        switch self {
        case .float32, .float32BigEndian: 24
        case .float64, .float64BigEndian: 53
        default: byteCount * 8
        }
    }
}
