// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import CFDKAAC
internal import MPEG4Audio

/// The decoder that a handle refers to.
final class FDKDecoder {
    /// Queued input bytes.
    var queue: UnitQueue
    private var parameters = DecoderParameters()
    let information = StreamInformation()

    private let format: Transport.Format
    private var configuration: AudioSpecificConfig?
    private var decoder: StreamDecoder?
    private var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 0)
    /// The access unit to decode next, starting at ``blockOffset``.
    private var unit: UnitQueue.Unit?
    private var blockOffset = 0

    init(_ format: Transport.Format) {
        self.format = format
        queue = UnitQueue(format)
    }

    func set(_ parameter: AACDEC_PARAM, _ value: Int32) -> AAC_DECODER_ERROR {
        let before = parameters
        guard parameters.set(parameter, value) else { return AAC_DEC_SET_PARAM_FAIL }
        if parameter == AAC_TPDEC_CLEAR_BUFFER, value != 0 {
            queue.removeAll()
            unit = nil
        }
        // Options are fixed for the lifetime of a decoder.
        if parameters != before { decoder = nil }
        return AAC_DEC_OK
    }

    /// Accepts an AudioSpecificConfig, or a StreamMuxConfig for transports that use it.
    func configure(_ bytes: [UInt8]) -> AAC_DECODER_ERROR {
        guard !bytes.isEmpty else { return AAC_DEC_OK }
        if format == .latmOutOfBand {
            var reader = BitReader(bytes)
            guard let config = try? StreamMuxConfig(reading: &reader) else { return AAC_DEC_UNSUPPORTED_FORMAT }
            queue.setMultiplex(config)
            return start(config.configuration)
        }
        guard let parsed = try? AudioSpecificConfig(parsing: bytes) else { return AAC_DEC_UNSUPPORTED_FORMAT }
        return start(parsed)
    }

    /// Creates the decoder for a configuration, unless it is the current one.
    private func start(_ configuration: AudioSpecificConfig) -> AAC_DECODER_ERROR {
        if decoder != nil, configuration == self.configuration { return AAC_DEC_OK }
        do throws(CodecError) {
            let made = try StreamDecoder(configuration, options: parameters.options)
            decoder = made
            self.configuration = configuration
            information.configure(configuration, made)
        } catch {
            return error.decoderCode
        }
        return AAC_DEC_OK
    }

    /// Decodes an access unit.
    ///
    /// - Parameters:
    ///   - output: The memory for interleaved samples.
    ///   - flags: Flags such as `AACDEC_CONCEAL`.
    func decode(into output: UnsafeMutableBufferPointer<Int16>, flags: UInt32) -> AAC_DECODER_ERROR {
        if flags & UInt32(AACDEC_CLRHIST) != 0 { decoder?.reset() }
        if flags & UInt32(AACDEC_CONCEAL | AACDEC_FLUSH) != 0 {
            return unsafe conceal(into: output, isLost: flags & UInt32(AACDEC_CONCEAL) != 0)
        }
        let isNew = unit == nil
        if isNew {
            switch queue.next() {
            case .needsBytes: return AAC_DEC_NOT_ENOUGH_BITS
            case .unsynchronized:
                information.countBadBytes(queue.skippedByteCount)
                return AAC_DEC_TRANSPORT_SYNC_ERROR
            case .unit(let next):
                unit = next
                blockOffset = 0
            }
        }
        guard let next = unit else { return AAC_DEC_NOT_ENOUGH_BITS }
        if let found = next.configuration ?? configuration {
            let result = start(found)
            guard result == AAC_DEC_OK else {
                unit = nil
                return result
            }
        }
        guard let decoder else {
            unit = nil
            return AAC_DEC_UNSUPPORTED_FORMAT
        }
        guard format == .adif, isNew else { return unsafe decode(next, decoder, into: output) }
        guard let first = separateUnit(next, decoder) else {
            unit = nil
            return AAC_DEC_NOT_ENOUGH_BITS
        }
        unit = first
        return unsafe decode(first, decoder, into: output)
    }

    /// Returns the first raw data block of an ADIF access unit, whose length is found by parsing; `nil` if the block is incomplete.
    private func separateUnit(_ all: UnitQueue.Unit, _ decoder: StreamDecoder) -> UnitQueue.Unit? {
        if let byteCount = decoder.aac?.blockByteCount(all.payload.span) { return queue.removeUnit(byteCount: byteCount) }
        // The start of the next block is unknown after damage.
        return all.payload.count < UnitQueue.blockLimit ? nil : queue.removeUnit(byteCount: all.payload.count)
    }

    /// Decodes a raw data block of an access unit.
    private func decode(
        _ next: UnitQueue.Unit, _ decoder: StreamDecoder, into output: UnsafeMutableBufferPointer<Int16>
    ) -> AAC_DECODER_ERROR {
        // Checked before decoding, so that the caller can retry the same access unit with more memory.
        guard neededCapacity(decoder) <= output.count else { return AAC_DEC_OUTPUT_BUFFER_TOO_SMALL }
        let outcome = decoder.decode(next.payload.span.extracting(droppingFirst: blockOffset), into: &buffer)
        let isFirst = blockOffset == 0
        blockOffset = min(blockOffset + outcome.byteCount + next.trailerByteCount, next.payload.count)
        unit?.blockCount -= 1
        if next.blockCount <= 1 || blockOffset >= next.payload.count { unit = nil }
        guard buffer.frameCount > 0 else { return outcome.code ?? AAC_DEC_UNKNOWN }
        guard unsafe deliver(into: output) else { return AAC_DEC_OUTPUT_BUFFER_TOO_SMALL }
        information.countUnit(byteCount: isFirst ? next.byteCount : 0, isDamaged: outcome.isDamaged)
        information.update(decoder, buffer, channelCount: outputChannelCount(decoder.channelCount), byteCount: next.byteCount)
        return outcome.code ?? AAC_DEC_OK
    }

    /// Conceals a lost access unit, or continues the signal at the end of the stream.
    private func conceal(into output: UnsafeMutableBufferPointer<Int16>, isLost: Bool) -> AAC_DECODER_ERROR {
        guard let decoder, decoder.channelCount > 0 else { return AAC_DEC_NOT_ENOUGH_BITS }
        guard neededCapacity(decoder) <= output.count else { return AAC_DEC_OUTPUT_BUFFER_TOO_SMALL }
        decoder.conceal(into: &buffer)
        guard unsafe deliver(into: output) else { return AAC_DEC_OUTPUT_BUFFER_TOO_SMALL }
        if isLost { information.countLostUnit() }
        information.update(decoder, buffer, channelCount: outputChannelCount(decoder.channelCount), byteCount: 0)
        return AAC_DEC_OK
    }

    /// The number of samples that an access unit decodes to, as known so far.
    private func neededCapacity(_ decoder: StreamDecoder) -> Int { decoder.frameLength * outputChannelCount(decoder.channelCount) }

    /// Returns the output channel count: two for mono if the caller requested at least two channels.
    private func outputChannelCount(_ count: Int) -> Int {
        count == 1 && parameters.minimumChannelCount >= 2 && parameters.maximumChannelCount != 1 ? 2 : count
    }

    /// Writes the decoded samples.
    ///
    /// Returns whether they fit.
    private func deliver(into output: UnsafeMutableBufferPointer<Int16>) -> Bool {
        let copies = buffer.channelCount == 0 ? 1 : outputChannelCount(buffer.channelCount) / buffer.channelCount
        let count = buffer.frameCount * buffer.channelCount
        guard count * copies <= output.count else { return false }
        var samples = unsafe output.mutableSpan
        buffer.copyIntegers(to: &samples)
        guard copies > 1 else { return true }
        // Backwards, so that no sample is overwritten before it is copied.
        for index in (0..<count).reversed() {
            for copy in 0..<copies { samples[index * copies + copy] = samples[index] }
        }
        return true
    }
}

extension StreamDecoder.Outcome {
    /// The code for the damage; `nil` without damage.
    fileprivate var code: AAC_DECODER_ERROR? { damage?.decoderCode ?? (isDamaged ? AAC_DEC_PARSE_ERROR : nil) }
}

extension CodecError {
    /// The code for a decoder error.
    ///
    /// It is in the decode error range if the samples conceal the error.
    fileprivate var decoderCode: AAC_DECODER_ERROR {
        switch self {
        case .unsupportedObjectType: AAC_DEC_UNSUPPORTED_AOT
        case .unsupportedChannelConfiguration, .tooManyChannels, .missingChannelLayout: AAC_DEC_UNSUPPORTED_CHANNELCONFIG
        case .unsupportedTool(.gainControl): AAC_DEC_UNSUPPORTED_GAIN_CONTROL_DATA
        case .unsupportedTool: AAC_DEC_UNSUPPORTED_PREDICTION
        case .reservedCodebook: AAC_DEC_INVALID_CODE_BOOK
        case .filterOrderOutOfRange: AAC_DEC_TNS_READ_ERROR
        case .truncated, .emptyAccessUnit: AAC_DEC_DECODE_FRAME_ERROR
        default: AAC_DEC_PARSE_ERROR
        }
    }
}
