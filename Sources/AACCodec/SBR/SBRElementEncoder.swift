// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// The SBR encoder of one channel element (ISO/IEC 14496-3:2009, 4.6.18): decimates the samples for the core, and codes the high band.
///
/// For each frame, call ``append(_:channel:_:)`` for each channel, or ``append(_:)`` with the QMF time slots of parametric stereo. Then
/// call ``planFrame(isIndependent:endsFixed:)`` and ``write(to:stereo:)``, which can be repeated.
package final class SBRElementEncoder {
    /// The number of zeros before the first sample that makes the decoder's output delay ``priming``.
    static let padding = 128 - HalfBandDecimator.delay
    /// The core's delay in samples, in addition to two frames.
    private static let coreDelay = 64
    /// A decoder's filter bank delay, in output sample frames: 481 at the core sample rate.
    private static let usualDecoderDelay = 2 * 481

    /// Returns a decoder's filter bank delay, in output sample frames.
    ///
    /// - Parameter mode: The low delay SBR mode; `nil` for regular SBR.
    static func decoderDelay(_ mode: LowDelaySBR?) -> Int {
        switch mode {
        case .singleRate: 32
        case .dualRate: 64
        default: usualDecoderDelay
        }
    }

    /// Returns the number of output sample frames before the first encoded sample: the delays of core and decoder, at twice the core sample
    /// rate.
    package static func priming(coreFrameLength: Int) -> Int { 2 * (2 * coreFrameLength + coreDelay) + usualDecoderDelay }

    /// Returns the number of output sample frames before the first encoded sample with low delay SBR.
    static func priming(coreFrameLength: Int, _ mode: LowDelaySBR) -> Int {
        (mode == .dualRate ? coreFrameLength : coreFrameLength / 2) + decoderDelay(mode)
    }

    private let kind: ChannelElement
    private let tuning: SBRTuning
    private var first: SBRChannelInput
    private var second: SBRChannelInput
    /// The encoder of the current frame's payload.
    private var coder: SBRPayloadCoder
    private var hasHeader = true

    init(kind: ChannelElement, tuning: SBRTuning) {
        self.kind = kind
        self.tuning = tuning
        coder = SBRPayloadCoder(channelCount: kind.channelCount, tuning: tuning)
        first = SBRChannelInput(tuning)
        second = SBRChannelInput(tuning)
    }

    /// Appends a frame of a channel's samples, and passes the core's samples to `body`: half as many, or all with low delay SBR.
    func append(_ samples: Span<Float>, channel: Int, _ body: (Span<Float>) -> Void) {
        let isSubbandNeeded = kind != .lowFrequency
        if channel == 0 {
            first.append(samples, isSubbandNeeded: isSubbandNeeded, body)
        } else {
            second.append(samples, isSubbandNeeded: isSubbandNeeded, body)
        }
    }

    /// Appends the QMF time slots of the parametric stereo downmix.
    func append(_ qmfSlots: borrowing SubbandSlots) { first.encoder.append(qmfSlots) }

    /// Clears the decision history.
    ///
    /// Keeps samples.
    func resetHistory() {
        first.encoder.resetHistory()
        second.encoder.resetHistory()
    }

    /// Analyses and codes the current frame.
    ///
    /// - Parameters:
    ///   - isIndependent: Whether the frame has a header and does not depend on previous frames.
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

    /// Writes the fill element, or in low delay SBR the payload, whose header is part of the configuration.
    ///
    /// Writes nothing for a low-frequency channel.
    ///
    /// - Parameter stereo: The encoded parametric stereo data of a mono element.
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

    /// Passes the current frame's payload to `body`.
    func withPayload(_ body: (borrowing SBRPayload) -> Void) { body(coder.payload) }

    /// Writes `extension_payload()` from its type to the SBR header.
    private func writeHeader(to sink: inout some BitSink) {
        sink.write(UInt32(ExtensionType.spectralBandReplication.rawValue), count: 4)
        sink.write(hasHeader)
        if hasHeader { tuning.header.write(to: &sink) }
    }
}
