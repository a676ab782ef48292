// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// The common state of stream parsers: the window, pending events and skipped bytes.
package struct StreamProgress: Sendable {
    /// The bytes not yet parsed.
    package var window = StreamWindow()

    /// The configuration of the latest access unit.
    package private(set) var configuration: CodecConfiguration?

    package init() {}

    var events = ReaderEventQueue()

    /// The offset of the first skipped byte.
    private var lostSince: Int?
    private var lostReason = SkippedBytes.Reason.unrecognized
    /// Whether the skipped bytes are whole frames.
    private var losesFrames = false
    /// The time of the next access unit.
    private var time: MediaTime?

    /// Skips the next bytes, to be reported together with adjacent skipped bytes.
    package mutating func lose(_ count: Int, _ reason: SkippedBytes.Reason) {
        guard count > 0 else { return }
        if losesFrames { reportLost() }
        losesFrames = false
        extendLost(count, reason)
    }

    /// Skips the next frame.
    ///
    /// Consecutive frames skipped for the same reason are reported together.
    package mutating func loseFrame(_ byteCount: Int, _ reason: SkippedBytes.Reason) {
        if !losesFrames || reason != lostReason { reportLost() }
        losesFrames = true
        extendLost(byteCount, reason)
    }

    /// Advances past skipped bytes and records their start.
    private mutating func extendLost(_ count: Int, _ reason: SkippedBytes.Reason) {
        if lostSince == nil {
            lostSince = window.offset
            lostReason = reason
        }
        window.advance(by: count)
    }

    /// Reports the skipped bytes, if any.
    package mutating func reportLost() {
        guard let start = lostSince else { return }
        report(SkippedBytes(byteRange: start..<window.offset, reason: lostReason))
        lostSince = nil
    }

    package mutating func report(_ skipped: SkippedBytes) { report(.skipped(skipped)) }

    mutating func report(_ event: ReaderEvent) { events.append(event) }

    /// Reports a configuration if it differs from the current one.
    package mutating func announce(_ found: CodecConfiguration) {
        guard found != configuration else { return }
        let rate = found.coreSampleRate
        time = time.map { MediaTime(value: Self.rescaled($0, to: rate), timescale: Int32(rate)) }
        configuration = found
        events.append(.configuration(found))
    }

    /// Reports an access unit of `duration` core sample frames, which continues the timeline.
    package mutating func append(
        payload: [UInt8], duration: Int, byteRange: Range<Int>, details: (inout DemuxedAccessUnit) -> Void = { _ in }
    ) {
        let start = time ?? MediaTime(value: 0, timescale: Int32(configuration?.coreSampleRate ?? 1))
        var demuxed = DemuxedAccessUnit(
            accessUnit: AccessUnit(payload: payload, presentationTime: start, duration: duration), byteRange: byteRange)
        details(&demuxed)
        time = start.advanced(byFrames: duration)
        events.append(.accessUnit(demuxed))
    }

    /// Advances the time by lost core sample frames.
    package mutating func advanceTime(by frameCount: Int) {
        guard let configuration else { return }
        time = (time ?? MediaTime(value: 0, timescale: Int32(configuration.coreSampleRate))).advanced(byFrames: frameCount)
    }

    /// Returns the value of a time in another timescale, or 0 on overflow.
    private static func rescaled(_ time: MediaTime, to rate: Int) -> Int64 {
        let product = time.value.multipliedReportingOverflow(by: Int64(rate))
        return product.overflow ? 0 : product.partialValue / Int64(time.timescale)
    }
}
