// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
internal import MPEG4Audio

#if LINNET_USAC
internal import USACCodec
#endif

/// A stream decoder for AAC, and for USAC (xHE-AAC) if `LINNET_USAC` is set. Browsers and bare metal omit USAC to save size.
// A struct, because Embedded Swift 6.3 leaks allocations of a class whose initializer throws.
struct StreamDecoder {
    /// The AAC decoder; `nil` for USAC.
    let aac: AACDecoder?
    #if LINNET_USAC
    /// The USAC decoder; `nil` for AAC.
    private let usac: USACDecoder?
    /// The factor from the loudness that a USAC stream states to the reference level.
    private var factor: Float = 1
    #else
    /// Always `nil` without `LINNET_USAC`.
    private var usac: AACDecoder? { nil }
    #endif

    /// The outcome of decoding one access unit.
    struct Outcome {
        /// The damage, for AAC.
        var damage: CodecError?
        /// Whether the access unit was damaged.
        var isDamaged: Bool
        /// The number of bytes read.
        var byteCount: Int
    }

    /// Creates a decoder for a stream.
    ///
    /// - Throws: `CodecError` if the stream is unsupported, for example USAC with a downmix.
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
        if let loudness = coded.loudness?.integratedLoudness {
            factor = options.factor(fromLevel: loudness, headroom: max(0, -(coded.loudness?.peak ?? -.infinity)))
        }
        #else
        aac = try AACDecoder(configuration, options: options)
        #endif
    }

    /// The output sample rate, in hertz.
    var sampleRate: Int { aac?.sampleRate ?? usac?.sampleRate ?? 0 }
    var channelCount: Int { aac?.channelCount ?? usac?.channelCount ?? 0 }
    /// Sample frames per access unit.
    var frameLength: Int { aac?.framesPerPacket ?? usac?.framesPerPacket ?? 0 }
    /// The decoder's delay, in sample frames.
    var delay: Int { aac?.delay ?? 0 }
    /// The output channel layout; `nil` if unknown.
    var channelLayout: ChannelLayout? { usac != nil ? usac?.channelLayout : aac?.channelLayout }

    func reset() {
        aac?.reset()
        usac?.reset()
    }

    func decode(_ accessUnit: Span<UInt8>, into buffer: inout PCMBuffer) -> Outcome {
        if let aac {
            let outcome = aac.decode(accessUnit, into: &buffer)
            return Outcome(damage: outcome.damage, isDamaged: outcome.damage != nil, byteCount: outcome.byteCount)
        }
        let outcome = usac?.decode(accessUnit, into: &buffer)
        scale(&buffer)
        return Outcome(damage: nil, isDamaged: outcome?.damage != nil, byteCount: accessUnit.count)
    }

    /// Conceals a lost access unit.
    func conceal(into buffer: inout PCMBuffer) {
        _ = aac?.conceal(into: &buffer)
        _ = usac?.conceal(into: &buffer)
        scale(&buffer)
    }

    /// Brings a USAC stream to the reference level.
    private func scale(_ buffer: inout PCMBuffer) {
        #if LINNET_USAC
        guard factor != 1 else { return }
        let frameCount = buffer.frameCount
        for channel in 0..<buffer.channelCount {
            var samples = buffer.mutableChannel(channel)
            for frame in 0..<frameCount { samples[frame] *= factor }
        }
        #endif
    }
}
