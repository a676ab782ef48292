// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import PCMFiles

/// The parameters of a pipeline that do not depend on its input.
struct PipelinePlan {
    /// The format of the output.
    var output: PipelineFormat
    /// The encoding of the output; nil for an encoder, which takes floating point.
    var encoding: SampleEncoding?
    /// The options of the converter.
    var options: AudioConverterOptions
    /// The frames at the start of the output that are discarded.
    var framesToSkip = 0

    /// The quality of rate conversion.
    var quality: SampleRateConverterQuality { options.quality }

    /// Returns the gains of the input's channels in those of the output.
    ///
    /// - Throws: `CodecError.channelMappingMismatch` if a map or matrix of the options does not fit.
    func matrix(for input: PipelineFormat) throws(CodecError) -> ChannelMatrix {
        let (inputs, outputs) = (input.channels.count, output.channels.count)
        switch options.channels {
        case .automatic:
            var target = output.channels
            // Unknown speakers are those of the input in the usual order.
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

    /// Whether samples have to be of double precision, so that no bit is lost which the output has.
    ///
    /// - Parameters:
    ///   - input: The format of the input.
    ///   - inputEncoding: The encoding of the input; nil for a decoder, which gives single precision.
    func usesDoubles(for input: PipelineFormat, encoding inputEncoding: SampleEncoding?) throws(CodecError) -> Bool {
        // Encoders, and single precision in general, take 24 bits.
        guard let encoding else { return false }
        let isComputed = try computes(input)
        if isComputed && quality == .maximum { return true }
        let isInputLong = inputEncoding.map { $0.precision > 24 } ?? false
        if encoding.isFloat, encoding.precision <= 24 { return false }
        // Rounding twice, to 24 bits and to fewer, is not the nearest value.
        if isInputLong { return true }
        return encoding.precision >= 24 && (isComputed || options.dither != .none)
    }

    /// Whether samples are computed and not only copied.
    private func computes(_ input: PipelineFormat) throws(CodecError) -> Bool {
        guard input.sampleRate == output.sampleRate else { return true }
        return !(try matrix(for: input)).isCopy
    }

    /// Whether samples of the output can be clipped that were not full scale before.
    ///
    /// Integers that are only copied fit into those of the output.
    func canClip(from input: PipelineFormat, encoding inputEncoding: SampleEncoding?) throws(CodecError) -> Bool {
        guard let encoding, !encoding.isFloat else { return false }
        guard let inputEncoding, !inputEncoding.isFloat else { return true }
        return try computes(input)
    }

    /// Whether integers of the output have fewer bits than the samples that become them.
    func losesBits(from input: PipelineFormat, encoding inputEncoding: SampleEncoding?) throws(CodecError) -> Bool {
        guard let encoding, !encoding.isFloat else { return false }
        guard let inputEncoding, !inputEncoding.isFloat, try !computes(input) else { return true }
        return inputEncoding.byteCount > encoding.byteCount
    }
}

extension SampleEncoding {
    /// The significant bits of a sample.
    var precision: Int {
        switch self {
        case .float32, .float32BigEndian: 24
        case .float64, .float64BigEndian: 53
        default: byteCount * 8
        }
    }
}
