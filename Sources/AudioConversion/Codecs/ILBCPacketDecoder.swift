// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
package import AudioPrimitives
internal import ILBCCodec

/// Decodes iLBC frames to speech at 8 kHz.
package final class ILBCPacketDecoder: AudioPacketDecoder {
    private var decoder: ILBCDecoder

    package init(mode: ILBCMode) { decoder = ILBCDecoder(mode: mode) }

    package var codecConfiguration: CodecConfiguration { .ilbc(decoder.mode) }
    /// Always 8000 Hz.
    package var sampleRate: Int { ILBCMode.sampleRate }
    /// Always 1.
    package var channelCount: Int { 1 }
    /// Always a center speaker.
    package var channelLayout: ChannelLayout? { ChannelLayout([.center]) }
    /// The number of samples per frame: 160 or 240.
    package var framesPerPacket: Int { decoder.mode.samplesPerFrame }
    /// The enhancer's delay, in samples.
    package var delay: Int { decoder.delay }

    /// Decodes the first frame of a packet.
    ///
    /// A packet that is too short is concealed.
    package func decode(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult {
        let byteCount = decoder.mode.bytesPerFrame
        guard packet.count >= byteCount else {
            var outcome = conceal(into: &buffer)
            outcome.damage = CodecError.wrongFrameLength(byteCount: packet.count, mode: decoder.mode)
            outcome.byteCount = packet.count
            return outcome
        }
        let frame = (0..<byteCount).map { packet[$0] }
        do throws(CodecError) {
            let samples = try decoder.decode(frame)
            return DecodeResult(byteCount: byteCount, hasNewFormat: deliver(samples, into: &buffer))
        } catch {
            return DecodeResult(damage: error, byteCount: packet.count, hasNewFormat: deliver(decoder.conceal(), into: &buffer))
        }
    }

    @discardableResult
    package func conceal(into buffer: inout PCMBuffer) -> DecodeResult {
        DecodeResult(byteCount: 0, hasNewFormat: deliver(decoder.conceal(), into: &buffer))
    }

    package func reset() { decoder = ILBCDecoder(mode: decoder.mode) }

    /// Writes samples to the buffer, which is replaced if it does not fit.
    ///
    /// Returns whether it was replaced.
    private func deliver(_ samples: [Int16], into buffer: inout PCMBuffer) -> Bool {
        let isNew = buffer.adapt(sampleRate: sampleRate, channelCount: 1, frameCount: samples.count)
        for (index, sample) in samples.enumerated() { buffer.samples[index] = Float(sample) / 32_768 }
        return isNew
    }
}
