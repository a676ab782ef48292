// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A parser that finds Opus access units in PES packet data.
struct OpusElementaryParser: FramedParser {
    /// An access unit that is held until the pre-skip is known.
    private struct Pending {
        var payload: [UInt8]
        var duration: Int
        var byteRange: Range<Int>
        var trim: UnitTrim
    }

    package var progress = StreamProgress()
    private let mapping: OpusChannelMapping?
    /// The access units up to the first that is not trimmed completely.
    private var pending: [Pending] = []

    /// The maximum number of held access units, which covers the longest pre-skip.
    private static let maximumPendingCount = 546

    init() { self.init(mapping: try? OpusChannelMapping(channelCount: 2)) }

    /// Creates a parser.
    ///
    /// - Parameter mapping: The channel mapping from the program map table.
    init(mapping: OpusChannelMapping?) { self.mapping = mapping }

    /// Consumes an access unit or skips bytes, or returns `false` if more bytes are needed.
    package mutating func step() -> Bool {
        let window = progress.window
        switch OpusControlHeader.search(window) {
        case .needsMore: return false
        case .none: skip()
        case .found(let header):
            let end = header.headerByteCount + header.byteCount
            guard window.has(end) else {
                guard window.isFinished else { return false }
                progress.lose(window.count, .truncatedFrame)
                return true
            }
            // The next header confirms this one.
            if window.count > end || !window.isFinished {
                switch OpusControlHeader.search(window, at: end) {
                case .needsMore where !window.has(end + 2): return false
                case .none: return skip()
                default: break
                }
            }
            take(header)
        }
        return true
    }

    /// Reports the held access units at the end of the stream.
    package mutating func reportRest() { if !pending.isEmpty { reportPending() } }

    /// Skips the first byte and all that follow which cannot start a header.
    @discardableResult
    private mutating func skip() -> Bool {
        progress.lose(1, .unrecognized)
        progress.lose(progress.window.distance { $0 == 0x7F }, .unrecognized)
        return true
    }

    /// Consumes the access unit at the start of the window.
    private mutating func take(_ header: OpusControlHeader) {
        let end = header.headerByteCount + header.byteCount
        let window = progress.window
        let payload = Array(window[header.headerByteCount..<end])
        guard let duration = try? OpusPacket(payload).duration else { return progress.loseFrame(end, .unrecognized) }
        progress.reportLost()
        let range = window.offset..<window.offset + end
        progress.window.advance(by: end)
        let accessUnit = Pending(payload: payload, duration: duration, byteRange: range, trim: header.trim)
        if progress.configuration != nil { return report(accessUnit) }
        pending.append(accessUnit)
        if header.trim.leading < duration || pending.count == Self.maximumPendingCount { reportPending() }
    }

    /// Announces the configuration and reports the held access units.
    private mutating func reportPending() {
        guard let mapping else { return pending.removeAll() }
        let preSkip = pending.reduce(0) { $0 + $1.trim.leading }
        progress.announce(.opus(OpusConfiguration(mapping: mapping, preSkip: UInt16(clamping: preSkip))))
        for accessUnit in pending { report(accessUnit) }
        pending.removeAll()
    }

    private mutating func report(_ accessUnit: Pending) {
        progress.append(payload: accessUnit.payload, duration: accessUnit.duration, byteRange: accessUnit.byteRange) {
            $0.trim = accessUnit.trim
        }
    }
}
