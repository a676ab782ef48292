// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// Spectral band replication of one element, the encoder's side (ISO/IEC 14496-3:2009, 4.6.18): samples at the output's rate
/// become those of the core and, beside them, the payload that a decoder makes the high band of.
///
/// Per frame: ``append(_:channel:core:)`` for each channel, or ``append(_:)`` for columns that come from elsewhere; then
/// ``planFrame(_:)``, then ``write(to:stereo:)`` as often as needed.
final class SBRElementEncoder {
    /// Samples of a frame.
    static let frameLength = 2048
    /// Zeros in front of the first sample: with them a decoder's output is ``priming`` frames late.
    static let padding = 128 - HalfBandDecimator.delay
    /// Frames of output before the first sample that was encoded: the core's 2112 and a decoder's 481, at twice the rate.
    static let priming = 5186

    private let kind: ChannelElement
    private let tuning: SBRTuning
    private var first: SBRChannelInput
    private var second: SBRChannelInput
    private var coder: SBRPayloadCoder
    private var hasHeader = true

    /// Makes an encoder before its first frame.
    init(kind: ChannelElement, tuning: SBRTuning) {
        self.kind = kind
        self.tuning = tuning
        first = SBRChannelInput(tuning: tuning)
        second = SBRChannelInput(tuning: tuning)
        coder = SBRPayloadCoder(channelCount: kind.channelCount, tuning: tuning)
    }

    /// Appends 2048 samples of a channel, and passes the 1024 samples of the core's to `body`.
    func append(_ samples: Span<Float>, channel: Int, _ body: (Span<Float>) -> Void) {
        let isSubbandNeeded = kind != .lowFrequency
        if channel == 0 {
            first.append(samples, isSubbandNeeded: isSubbandNeeded)
            body(first.core.span)
        } else {
            second.append(samples, isSubbandNeeded: isSubbandNeeded)
            body(second.core.span)
        }
    }

    /// Takes the columns of a channel that parametric stereo has made.
    func append(_ columns: inout SubbandColumns) { first.encoder.append(&columns) }

    /// Forgets all but the samples.
    func resetHistory() {
        first.encoder.resetHistory()
        second.encoder.resetHistory()
    }

    /// Makes the payload of the current frame.
    ///
    /// - Parameters:
    ///   - isIndependent: Whether the frame has a header, and is decodable without the frames before it.
    ///   - endsFixed: Whether the last envelope ends with the frame.
    func planFrame(isIndependent: Bool, endsFixed: Bool) {
        guard kind != .lowFrequency else { return }
        hasHeader = isIndependent
        if kind != .pair {
            first.encoder.analyze(tuning, endsFixed: endsFixed)
            coder.code(&first.encoder, isIndependent: isIndependent)
        } else {
            if tuning.allowsCoupling {
                SBRChannelEncoder.analyze(&first.encoder, &second.encoder, tuning: tuning, endsFixed: endsFixed)
            } else {
                first.encoder.analyze(tuning, endsFixed: endsFixed)
                second.encoder.analyze(tuning, endsFixed: endsFixed)
            }
            coder.code(&first.encoder, &second.encoder, isIndependent: isIndependent)
        }
    }

    /// Writes the fill element; none for a low-frequency channel.
    ///
    /// - Parameter stereo: Parametric stereo of a mono element.
    func write(to sink: inout some BitSink, stereo: (some SBRExtendedData)?) {
        guard kind != .lowFrequency else { return }
        var counter = BitCounter()
        writePayload(to: &counter, stereo: stereo)
        let byteCount = (counter.bitCount + 7) / 8
        FillElement.writeHeader(byteCount: byteCount, to: &sink)
        writePayload(to: &sink, stereo: stereo)
        sink.write(0, count: 8 * byteCount - counter.bitCount)
    }

    /// Writes `extension_payload()` from its type on.
    private func writePayload(to sink: inout some BitSink, stereo: (some SBRExtendedData)?) {
        sink.write(UInt32(ExtensionType.spectralBandReplication.rawValue), count: 4)
        sink.write(hasHeader)
        if hasHeader { tuning.header.write(to: &sink) }
        if let stereo {
            coder.payload.write(to: &sink, header: tuning.header, tables: tuning.tables, stereo: stereo)
        } else {
            coder.payload.write(to: &sink, header: tuning.header, tables: tuning.tables)
        }
    }
}

/// One channel on its way to the core and to subbands.
struct SBRChannelInput: ~Copyable {
    /// The samples for the core.
    private(set) var core: [1024 of Float] = .init(repeating: 0)
    /// What is made of the subbands.
    var encoder: SBRChannelEncoder

    private var decimator = HalfBandDecimator()
    private var bank = QMFAnalysis64()
    private var columns = SubbandColumns()
    /// Whether only one column of each time slot is made.
    private let isHalved: Bool
    /// The last samples of the past, then those of a block.
    private var samples: [2480 of Float] = .init(repeating: 0)

    /// Samples by which subbands are behind, beside one frame of look-ahead.
    ///
    /// The core's delay is 2112, a decoder's adjustment is six columns behind its analysis, and the decimator's delay is part of
    /// the padding. That leaves 415 samples until column boundaries of the two are the same.
    static let delay = 415
    private static let past = 432

    /// Makes an input with a silent past.
    init(tuning: SBRTuning) {
        encoder = SBRChannelEncoder(tuning: tuning)
        isHalved = tuning.columnsPerSlot == 1
    }

    /// Takes 2048 samples.
    mutating func append(_ input: Span<Float>, isSubbandNeeded: Bool) {
        var target = core.mutableSpan
        decimator.decimate(input, into: &target)
        guard isSubbandNeeded else { return }
        var all = samples.mutableSpan
        for index in stride(from: 0, to: 2048, by: 4) { all.store(input.vector(at: index), at: Self.past &+ index) }
        let first = Self.past - Self.delay
        if isHalved {
            // The one column of a slot is in the middle of the two.
            bank.analyzeHalf(samples.span.extracting(first + 32..<first + 2080), into: &columns, tables: .shared)
        } else {
            bank.analyze(samples.span.extracting(first..<first + 2048), into: &columns, tables: .shared)
        }
        encoder.append(&columns)
        var moved = samples.mutableSpan
        for index in stride(from: 0, to: Self.past, by: 4) { moved.store(moved.vector(at: 2048 &+ index), at: index) }
    }
}
