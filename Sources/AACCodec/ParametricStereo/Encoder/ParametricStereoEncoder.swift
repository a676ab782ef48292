// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// The encoder of parametric stereo: a downmix of two channels, and the parameters from which a decoder restores both (ISO/IEC
/// 14496-3:2009, 8.6.4).
///
/// The downmix has two forms: samples at half the sample rate for the core, and QMF columns for SBR. Both are synchronous with the
/// parameters: those of a frame apply to the signal that a decoder has at that frame.
package final class ParametricStereoEncoder {
    /// Zeros before the first sample, so that the delay of the decoder's output is even.
    static let padding = 1
    /// Returns the output sample frames before the first encoded sample: the padding, the filter banks of the encoder, the downmix, two blocks of
    /// the core, and the filter banks of the decoder.
    ///
    /// - Parameter layout: The division of a frame into columns.
    package static func priming(_ layout: SlotLayout) -> Int {
        padding + 577 + 64 * (StereoDownmix.delay + layout.groupRest) + 4 * layout.coreFrameLength
            + SBRElementEncoder.decoderDelay(nil)
    }

    /// The coded parameters of the current frame.
    package private(set) var payload = BitWriter(byteCapacity: 256)
    /// The parameters of the current frame.
    private var data = ParametricStereoData()

    /// The filter banks of both channels.
    private var banks: StereoFilterBanks
    /// The downmix of the last frame, with the samples for the core.
    private var output: StereoDownmixOutput
    /// One of the two downmixes.
    private var first: StereoDownmix
    /// The other one.
    private var second: StereoDownmix
    /// Whether the current downmix is ``second``; the other one replaces it before the next segment.
    private var usesSecond = false
    /// Whether the current downmix has seen the previous frames; false in the encoder of a segment until the takeover.
    private var hasPast = true
    /// The estimation and coding of parameters.
    private var parameters: StereoParameterEncoder

    /// The columns from a column of the core to the same column in a decoder's frame: nine of the filter banks, and the six by which HF
    /// adjustment is behind analysis.
    private static let columnDelay = 15

    /// The blocks of the core's input after the current frame.
    private static let lookAhead = 2

    /// The frames before a segment at which the next downmix takes over: before any block that affects the segment's first frame.
    private static let takeover = 6
    /// The frames before that in which it measures the signal without being used: its measurements decay to a thousandth in them.
    private static let runIn = 8
    /// The frames of input before a segment that its encoder needs; one is for the filter banks.
    static let leadIn = takeover + runIn + 1

    /// The division of a frame into columns.
    private let layout: SlotLayout

    /// Makes an encoder with a silent past.
    package init(_ settings: StereoCodingSettings, _ layout: SlotLayout) {
        self.layout = layout
        parameters = StereoParameterEncoder(settings, columnCount: layout.columnCount)
        banks = StereoFilterBanks(layout)
        output = StereoDownmixOutput(layout, columnDelay: Self.columnDelay, mergesColumns: settings.isFast)
        first = StereoDownmix(columnCount: layout.groupedColumnCount, isFast: settings.isFast)
        second = StereoDownmix(columnCount: layout.groupedColumnCount, isFast: settings.isFast)
    }

    /// Resets all decisions of previous frames; their samples are kept.
    func resetHistory() { parameters.resetHistory() }

    /// Starts at the lead-in of a segment.
    func restart() {
        resetHistory()
        hasPast = false
        // As many columns are left as at this frame of the whole stream, whose segments begin without any.
        let pendingCount = -Self.leadIn * layout.columnCount & 3
        banks.restart(pendingCount: pendingCount)
        output.restart(pendingCount: pendingCount)
    }

    /// Appends a frame of samples of each channel, and passes the samples of the downmix for the core, half as many, to `body`.
    ///
    /// - Parameter framesToSegment: The frames from that frame to the next segment, itself included.
    package func append(left: Span<Float>, right: Span<Float>, framesToSegment: Int, _ body: (Span<Float>) -> Void) {
        banks.load(left: left, right: right)
        let newCount = banks.left.readyColumnCount
        output.begin(newCount: newCount)
        mix(framesToSegment: framesToSegment)
        banks.advance()
        output.take(newCount: newCount, body)
    }

    /// Passes the columns of the last frame, ``columnDelay`` columns later than in the core, to SBR.
    func passColumns(to sbr: SBRElementEncoder) { sbr.append(output.columns) }

    /// Mixes a frame, and switches from one downmix to the next before a segment.
    private func mix(framesToSegment: Int) {
        if framesToSegment == Self.takeover + Self.runIn { resetSuccessor() }
        if framesToSegment == Self.takeover {
            usesSecond.toggle()
            hasPast = true
        }
        let runsIn = Self.takeover + 1...Self.takeover + Self.runIn ~= framesToSegment
        if runsIn {
            // The output is overwritten by that of the current downmix.
            mix(usesSecond: !usesSecond, synthesizesCore: false)
        }
        if hasPast || !runsIn { mix(usesSecond: usesSecond, synthesizesCore: true) }
    }

    /// Mixes a frame with one of the downmixes.
    private func mix(usesSecond: Bool, synthesizesCore: Bool) {
        if usesSecond {
            second.mix(banks, into: &output, synthesizesCore: synthesizesCore)
        } else {
            first.mix(banks, into: &output, synthesizesCore: synthesizesCore)
        }
    }

    /// Gives the downmix that is not the current one a silent past.
    private func resetSuccessor() {
        if usesSecond { first.reset() } else { second.reset() }
    }

    /// Estimates the parameters of the current frame.
    ///
    /// - Parameter isIndependent: Whether the frame has a header, and is decodable without the frames before it.
    package func planFrame(isIndependent: Bool) {
        let first = output.firstColumn - Self.lookAhead * layout.columnCount - Self.columnDelay
        parameters.encode(&output.statistics, from: first, hasHeader: isIndependent, into: &data)
        payload.reset()
        data.write(to: &payload)
    }
}
