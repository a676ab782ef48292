// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// The parametric stereo encoder: downmixes two channels and codes the parameters from which a decoder restores both (ISO/IEC 14496-3:2009,
/// 8.6.4).
///
/// In xHE-AAC, the parameters are those of MPEG Surround 2-1-2 (ISO/IEC 23003-3, 7.11), which has the same bands and matrices, and another
/// decorrelated signal.
///
/// The downmix has two forms: samples at half the sample rate for the core, and QMF time slots for SBR. Both are synchronous with the
/// parameters: a frame's parameters apply to the signal that a decoder has in that frame.
package final class ParametricStereoEncoder {
    /// The number of zeros before the first sample.
    ///
    /// They make the decoder's output delay even.
    static let padding = 1
    /// Returns the number of output sample frames before the first encoded sample.
    ///
    /// It is the sum of the padding, the encoder's filter banks, the downmix, two core blocks, and the decoder's filter banks.
    ///
    /// - Parameter layout: The division of a frame into time slots.
    package static func priming(_ layout: SlotLayout) -> Int {
        padding + 577 + 64 * (StereoDownmix.delay + layout.groupRest) + 4 * layout.coreFrameLength
            + SBRElementEncoder.decoderDelay(nil)
    }

    /// The coded parameters of the current frame.
    package private(set) var payload = BitWriter(byteCapacity: 256)
    /// The parameters of the current frame.
    private var data = ParametricStereoData()

    private var banks: StereoFilterBanks
    /// The last frame of the downmix, with the core's samples.
    private var output: StereoDownmixOutput
    private var first: StereoDownmix
    private var second: StereoDownmix
    /// Whether ``second`` is the current downmix.
    ///
    /// The other one replaces it before the next segment.
    private var usesSecond = false
    /// Whether the current downmix has processed the previous frames.
    ///
    /// `false` in a segment's encoder until the takeover.
    private var hasHistory = true
    private var parameters: StereoParameterEncoder

    /// The delay from a core time slot to the same time slot of a decoder's frame: nine of the filter banks, and six between analysis and
    /// HF adjustment.
    private static let qmfSlotDelay = 15

    /// The number of core input blocks after the current frame.
    private static let lookAhead = 2

    /// The number of frames before a segment when the new downmix takes over: before any block that affects the segment's first frame.
    private static let takeover = 6
    /// The number of frames before the takeover in which the new downmix only measures.
    ///
    /// Older measurements decay to a thousandth in that time.
    private static let runIn = 8
    /// The number of input frames that a segment's encoder needs before the segment, including one for the filter banks.
    static let leadIn = takeover + runIn + 1

    /// The division of a frame into time slots.
    private let layout: SlotLayout
    /// Whether the parameters are those of MPEG Surround 2-1-2.
    private let isSurround: Bool

    /// Creates an encoder with zeroed history.
    package init(_ settings: StereoCodingSettings, _ layout: SlotLayout) {
        self.layout = layout
        parameters = StereoParameterEncoder(settings, qmfSlotCount: layout.qmfSlotCount)
        banks = StereoFilterBanks(layout)
        output = StereoDownmixOutput(layout, qmfSlotDelay: Self.qmfSlotDelay, mergesQMFSlots: settings.isFast)
        first = StereoDownmix(
            qmfSlotCount: layout.groupedQMFSlotCount, isFast: settings.isFast, isSurround: settings.isSurround)
        second = StereoDownmix(
            qmfSlotCount: layout.groupedQMFSlotCount, isFast: settings.isFast, isSurround: settings.isSurround)
        isSurround = settings.isSurround
    }

    /// Clears the decision history.
    ///
    /// Keeps samples.
    func resetHistory() { parameters.resetHistory() }

    /// Starts at the lead-in of a segment.
    func restart() {
        resetHistory()
        hasHistory = false
        // The number of pending time slots at this frame when the whole stream is encoded. Segments start without any.
        let pendingCount = -Self.leadIn * layout.qmfSlotCount & 3
        banks.restart(pendingCount: pendingCount)
        output.restart(pendingCount: pendingCount)
    }

    /// Appends a frame of samples of each channel, and passes the downmix at half the sample rate to `body` for the core.
    ///
    /// - Parameter framesToSegment: The number of frames until the next segment, including this one.
    package func append(left: Span<Float>, right: Span<Float>, framesToSegment: Int, _ body: (Span<Float>) -> Void) {
        banks.load(left: left, right: right)
        let newCount = banks.left.readyQMFSlotCount
        output.begin(newCount: newCount)
        mix(framesToSegment: framesToSegment)
        banks.advance()
        output.take(newCount: newCount, body)
    }

    /// Passes the last frame's time slots to SBR, ``qmfSlotDelay`` time slots later than to the core.
    func passQMFSlots(to sbr: SBRElementEncoder) { sbr.append(output.qmfSlots) }

    /// Mixes a frame, and switches to the next downmix before a segment.
    private func mix(framesToSegment: Int) {
        if framesToSegment == Self.takeover + Self.runIn { resetSuccessor() }
        if framesToSegment == Self.takeover {
            usesSecond.toggle()
            hasHistory = true
        }
        let runsIn = Self.takeover + 1...Self.takeover + Self.runIn ~= framesToSegment
        if runsIn {
            // The current downmix overwrites this output.
            mix(usesSecond: !usesSecond, synthesizesCore: false)
        }
        if hasHistory || !runsIn { mix(usesSecond: usesSecond, synthesizesCore: true) }
    }

    private func mix(usesSecond: Bool, synthesizesCore: Bool) {
        if usesSecond {
            second.mix(banks, into: &output, synthesizesCore: synthesizesCore)
        } else {
            first.mix(banks, into: &output, synthesizesCore: synthesizesCore)
        }
    }

    /// Zeroes the history of the other downmix.
    private func resetSuccessor() {
        if usesSecond { first.reset() } else { second.reset() }
    }

    /// Estimates the parameters of the current frame.
    ///
    /// - Parameter isIndependent: Whether the frame has a header and does not depend on previous frames.
    package func planFrame(isIndependent: Bool) {
        let first = output.firstQMFSlot - Self.lookAhead * layout.qmfSlotCount - Self.qmfSlotDelay
        payload.reset()
        #if !hasFeature(Embedded) || LINNET_USAC
        if isSurround {
            return parameters.encodeSurround(&output.statistics, from: first, isIndependent: isIndependent, to: &payload)
        }
        #endif
        parameters.encode(&output.statistics, from: first, hasHeader: isIndependent, into: &data)
        data.write(to: &payload)
    }
}
