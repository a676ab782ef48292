// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// The SBR encoder of one channel element (ISO/IEC 14496-3:2009, 4.6.18): decimates samples for the core, and codes the
/// high band in payloads.
///
/// For each frame: ``append(_:channel:_:)`` for each channel, or ``append(_:)`` for columns of parametric stereo; then
/// ``planFrame(isIndependent:endsFixed:)``; then ``write(to:stereo:)``, which is repeatable.
package final class SBRElementEncoder {
    /// Zeros before the first sample: with them the delay of the decoder's output is ``priming``.
    static let padding = 128 - HalfBandDecimator.delay
    /// The delay of the core in samples, besides two frames.
    private static let coreDelay = 64
    /// The delay of a decoder's filter banks, in sample frames of the output: 481 of the core.
    private static let usualDecoderDelay = 2 * 481

    /// Returns the delay of a decoder's filter banks, in sample frames of the output.
    ///
    /// - Parameter mode: The kind of low delay SBR; `nil` for the usual SBR.
    static func decoderDelay(_ mode: LowDelaySBR?) -> Int {
        switch mode {
        case .singleRate: 32
        case .dualRate: 64
        default: usualDecoderDelay
        }
    }

    /// Returns the output sample frames before the first encoded sample: the delays of the core and of a decoder, at twice the sample rate.
    package static func priming(coreFrameLength: Int) -> Int { 2 * (2 * coreFrameLength + coreDelay) + usualDecoderDelay }

    /// Returns the same for low delay SBR.
    static func priming(coreFrameLength: Int, _ mode: LowDelaySBR) -> Int {
        (mode == .dualRate ? coreFrameLength : coreFrameLength / 2) + decoderDelay(mode)
    }

    /// The element.
    private let kind: ChannelElement
    /// The header and other settings.
    private let tuning: SBRTuning
    /// The first channel.
    private var first: SBRChannelInput
    /// The second channel of a pair.
    private var second: SBRChannelInput
    /// The payload of the current frame.
    private var coder: SBRPayloadCoder
    /// Whether the payload has a header.
    private var hasHeader = true

    /// Creates an encoder before its first frame.
    init(kind: ChannelElement, tuning: SBRTuning) {
        self.kind = kind
        self.tuning = tuning
        coder = SBRPayloadCoder(channelCount: kind.channelCount, tuning: tuning)
        first = SBRChannelInput(tuning)
        second = SBRChannelInput(tuning)
    }

    /// Appends a frame of samples of a channel, and passes the samples for the core to `body`: half as many, in low delay SBR all.
    func append(_ samples: Span<Float>, channel: Int, _ body: (Span<Float>) -> Void) {
        let isSubbandNeeded = kind != .lowFrequency
        if channel == 0 {
            first.append(samples, isSubbandNeeded: isSubbandNeeded, body)
        } else {
            second.append(samples, isSubbandNeeded: isSubbandNeeded, body)
        }
    }

    /// Appends the columns of the downmix of parametric stereo.
    func append(_ columns: borrowing SubbandColumns) { first.encoder.append(columns) }

    /// Resets all decisions of previous frames; their samples are kept.
    func resetHistory() {
        first.encoder.resetHistory()
        second.encoder.resetHistory()
    }

    /// Analyses and codes the current frame.
    ///
    /// - Parameters:
    ///   - isIndependent: Whether the frame has a header, and is decodable without the frames before it.
    ///   - endsFixed: Whether the last envelope ends with the frame.
    func planFrame(isIndependent: Bool, endsFixed: Bool) {
        guard kind != .lowFrequency else { return }
        hasHeader = isIndependent
        if kind != .pair {
            first.encoder.analyze(tuning, endsFixed: endsFixed)
            coder.code(first.encoder, isIndependent: isIndependent)
        } else {
            if tuning.allowsCoupling {
                SBRChannelEncoder.analyze(&first.encoder, &second.encoder, tuning: tuning, endsFixed: endsFixed)
            } else {
                first.encoder.analyze(tuning, endsFixed: endsFixed)
                second.encoder.analyze(tuning, endsFixed: endsFixed)
            }
            coder.code(first.encoder, second.encoder, isIndependent: isIndependent)
        }
    }

    /// Writes the fill element, or in low delay SBR the payload without a header, which is part of the configuration; nothing for a low-frequency
    /// channel.
    ///
    /// - Parameter stereo: The coded parametric stereo of a mono element.
    func write(to writer: inout BitWriter, stereo: BitWriter?) {
        guard kind != .lowFrequency else { return }
        if tuning.layout.isLowDelay {
            writer.write(false)
            return coder.payload.write(to: &writer, header: tuning.header, tables: tuning.tables, stereo: nil)
        }
        var counter = BitCounter()
        writeHeader(to: &counter)
        let bitCount = counter.bitCount + coder.payload.bitCount(header: tuning.header, tables: tuning.tables, stereo: stereo)
        let byteCount = (bitCount + 7) / 8
        FillElement.writeHeader(byteCount: byteCount, to: &writer)
        writeHeader(to: &writer)
        coder.payload.write(to: &writer, header: tuning.header, tables: tuning.tables, stereo: stereo)
        writer.write(0, count: 8 * byteCount - bitCount)
    }

    /// Writes `extension_payload()` from its type to the header of the band replication.
    private func writeHeader(to sink: inout some BitSink) {
        sink.write(UInt32(ExtensionType.spectralBandReplication.rawValue), count: 4)
        sink.write(hasHeader)
        if hasHeader { tuning.header.write(to: &sink) }
    }
}
