// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Finds the access units of Opus in the data of its PES packets.
struct OpusElementaryParser: FramedParser {
    /// A unit that waits until the pre-skip is known.
    private struct Pending {
        var payload: [UInt8]
        var duration: Int
        var byteRange: Range<Int>
        var trim: UnitTrim
    }

    package var progress = StreamProgress()
    private let mapping: OpusChannelMapping?
    /// The units before the first one of which some is played.
    private var pending: [Pending] = []

    /// The most units that wait: those of the longest pre-skip.
    private static let maximumPendingCount = 546

    /// Creates a parser of two channels.
    init() { self.init(mapping: try? OpusChannelMapping(channelCount: 2)) }

    /// Creates a parser.
    ///
    /// - Parameter mapping: The channels that the program map table tells.
    init(mapping: OpusChannelMapping?) { self.mapping = mapping }

    /// Advances by an access unit or by bytes that are none; returns false if that needs more bytes.
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

    /// Reports the units that wait for a later one, of which some is played.
    package mutating func reportRest() { if !pending.isEmpty { reportPending() } }

    /// Skips the first byte and those after it that can't begin a header.
    @discardableResult
    private mutating func skip() -> Bool {
        progress.lose(1, .unrecognized)
        progress.lose(progress.window.distance { $0 == 0x7F }, .unrecognized)
        return true
    }

    /// Takes the access unit at the start of the window.
    private mutating func take(_ header: OpusControlHeader) {
        let end = header.headerByteCount + header.byteCount
        let window = progress.window
        let payload = Array(window[header.headerByteCount..<end])
        guard let duration = try? OpusPacket(payload).duration else { return progress.loseFrame(end, .unrecognized) }
        progress.reportLost()
        let range = window.offset..<window.offset + end
        progress.window.advance(by: end)
        let unit = Pending(payload: payload, duration: duration, byteRange: range, trim: header.trim)
        if progress.configuration != nil { return report(unit) }
        pending.append(unit)
        if header.trim.leading < duration || pending.count == Self.maximumPendingCount { reportPending() }
    }

    /// Announces the configuration, and reports the units that waited for it.
    private mutating func reportPending() {
        guard let mapping else { return pending.removeAll() }
        let preSkip = pending.reduce(0) { $0 + $1.trim.leading }
        progress.announce(.opus(OpusConfiguration(mapping: mapping, preSkip: UInt16(clamping: preSkip))))
        for unit in pending { report(unit) }
        pending.removeAll()
    }

    /// Reports a unit.
    private mutating func report(_ unit: Pending) {
        progress.append(payload: unit.payload, duration: unit.duration, byteRange: unit.byteRange) { $0.trim = unit.trim }
    }
}
