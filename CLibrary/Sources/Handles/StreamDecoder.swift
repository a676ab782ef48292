// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
internal import MPEG4Audio

#if LINNET_USAC
internal import USACCodec
#endif

/// The decoder of a stream: AAC, or USAC, the codec of xHE-AAC, where `LINNET_USAC` is set: not in browsers and on bare metal, where size counts.
// A structure: as a class, Embedded Swift 6.3 leaks what an initializer that throws has allocated.
struct StreamDecoder {
    /// The decoder of AAC; nil for USAC.
    let aac: AACDecoder?
    #if LINNET_USAC
    /// The decoder of USAC; nil for AAC.
    private let usac: USACDecoder?
    #else
    /// No decoder of USAC.
    private var usac: AACDecoder? { nil }
    #endif

    /// The outcome of decoding one unit.
    struct Outcome {
        /// The damage of AAC.
        var damage: CodecError?
        /// Whether there was any damage.
        var isDamaged: Bool
        /// The bytes that were read.
        var byteCount: Int
    }

    /// Makes a decoder of a stream.
    ///
    /// - Throws: `CodecError` if the stream is not supported, as USAC that is to be mixed down.
    init(_ configuration: AudioSpecificConfig, options: AACDecoderOptions) throws(CodecError) {
        #if LINNET_USAC
        guard let coded = configuration.usac else {
            aac = try AACDecoder(configuration, options: options)
            usac = nil
            return
        }
        let isMixed = options.downmix == .mono && coded.channelCount > 1 || options.downmix == .stereo && coded.channelCount > 2
        guard !isMixed, let made = try? USACDecoder(configuration) else { throw .unsupportedObjectType(configuration.objectType.rawValue) }
        aac = nil
        usac = made
        #else
        aac = try AACDecoder(configuration, options: options)
        #endif
    }

    /// The sample rate of the output in hertz.
    var sampleRate: Int { aac?.sampleRate ?? usac?.sampleRate ?? 0 }
    /// The channels of the output.
    var channelCount: Int { aac?.channelCount ?? usac?.channelCount ?? 0 }
    /// The sample frames of a unit.
    var frameLength: Int { aac?.framesPerPacket ?? usac?.framesPerPacket ?? 0 }
    /// The delay of the decoder in sample frames.
    var delay: Int { aac?.delay ?? 0 }
    /// The speakers of the output; nil if they are unknown.
    var channelLayout: ChannelLayout? { usac != nil ? usac?.channelLayout : aac?.channelLayout }

    /// Discards the history.
    func reset() {
        aac?.reset()
        usac?.reset()
    }

    /// Decodes a unit.
    func decode(_ unit: Span<UInt8>, into buffer: inout PCMBuffer) -> Outcome {
        if let aac {
            let outcome = aac.decode(unit, into: &buffer)
            return Outcome(damage: outcome.damage, isDamaged: outcome.damage != nil, byteCount: outcome.byteCount)
        }
        let outcome = usac?.decode(unit, into: &buffer)
        return Outcome(damage: nil, isDamaged: outcome?.damage != nil, byteCount: unit.count)
    }

    /// Conceals a unit that did not arrive.
    func conceal(into buffer: inout PCMBuffer) {
        _ = aac?.conceal(into: &buffer)
        _ = usac?.conceal(into: &buffer)
    }
}
