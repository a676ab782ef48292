// SPDX-License-Identifier: Apache-2.0

#if LINNET_FILES
internal import AACCodec
internal import ALACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import CLinnet

/// The decoder of a file's codec.
enum FileCodec {
    case aac(StreamDecoder)
    case alac(ALACDecoder)

    /// Creates a decoder, with channels in WAV order.
    ///
    /// - Throws: `LINNET_ERROR_NO_AUDIO` for other codecs, and the code of a `CodecError` for unsupported streams.
    init(_ configuration: CodecConfiguration) throws(FileFailure) {
        switch configuration {
        case .aac(let config):
            do throws(CodecError) {
                self = .aac(try StreamDecoder(config, options: AACDecoderOptions()))
            } catch {
                throw FileFailure(error)
            }
        case .alac(let config):
            do throws(CodecError) {
                self = .alac(try ALACDecoder(config, usesWAVOrder: true))
            } catch {
                throw FileFailure(error)
            }
        case .opus, .ilbc: throw FileFailure(LINNET_ERROR_NO_AUDIO)
        }
    }

    /// The output sample rate, in hertz.
    var sampleRate: Int {
        switch self {
        case .aac(let decoder): decoder.sampleRate
        case .alac(let decoder): decoder.sampleRate
        }
    }

    var channelCount: Int {
        switch self {
        case .aac(let decoder): decoder.channelCount
        case .alac(let decoder): decoder.channelCount
        }
    }

    /// The maximum number of sample frames per access unit.
    var frameLength: Int {
        switch self {
        case .aac(let decoder): decoder.frameLength
        case .alac(let decoder): decoder.framesPerPacket
        }
    }

    /// Decodes an access unit, and returns whether it was damaged and the number of bytes read.
    func decode(_ accessUnit: Span<UInt8>, into buffer: inout PCMBuffer) -> (isDamaged: Bool, byteCount: Int) {
        switch self {
        case .aac(let decoder):
            let outcome = decoder.decode(accessUnit, into: &buffer)
            return (outcome.isDamaged, outcome.byteCount)
        case .alac(let decoder): return (decoder.decode(accessUnit, into: &buffer).damage != nil, accessUnit.count)
        }
    }

    /// Conceals a missing access unit.
    func conceal(into buffer: inout PCMBuffer) {
        switch self {
        case .aac(let decoder): decoder.conceal(into: &buffer)
        case .alac(let decoder): decoder.conceal(into: &buffer)
        }
    }

    func reset() { if case .aac(let decoder) = self { decoder.reset() } }
}
#endif
