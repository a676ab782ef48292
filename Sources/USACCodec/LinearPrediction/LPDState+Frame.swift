// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

extension LPDState {
    /// Decodes a frame in the linear prediction domain.
    ///
    /// Call ``advance()`` or ``start(after:isShort:)`` first.
    ///
    /// - Parameters:
    ///   - seed: The noise generator's state, shared with the frequency domain.
    ///   - output: Receives the samples of a frame, which ends half a frame before the decoded samples.
    package mutating func decode(
        _ data: borrowing LPDChannelData, seed: inout UInt32, filterBank: inout CoreFilterBank, into output: inout MutableSpan<Float>
    ) {
        frequencies.decode(data.sets)
        moveEnvelope(isReplaced: data.sets[0].isPresent)
        if lastBlock == .frequencyDomain || lastBlock == .shortWindows {
            lastFilter = frequencies.filter(from: 0, to: 0, share: 0)
        }
        var quarter = 0
        while quarter < 4 {
            let isACELP = data.modes[quarter] == 0
            if isACELP {
                startACELP(data, quarter: quarter, filterBank: &filterBank)
                decodeACELP(data, quarter: quarter)
                spreadLag(data, quarter: quarter)
                pendingStart = (quarter + 1) * (frameLength / 4)
                lastBlock = .acelp
                quarter += 1
            } else {
                decodeTCXBlock(data, quarter: quarter, seed: &seed, filterBank: &filterBank)
                lastBlock = .tcx
                quarter += 1 << Int(data.modes[quarter] - 1)
            }
            lastFilter = frequencies.filter(from: quarter, to: quarter, share: 0)
        }
        if !data.hasPostFilter {
            let first = frameLength / 128 + (data.modes[0] > 0 && hadPostFilter ? 2 : 0)
            for slot in first..<gains.count { gains[slot] = 0 }
        }
        hadPostFilter = data.hasPostFilter
        filterBass(until: lastBlock == .acelp ? frameLength : frameLength - frameLength / 8, into: &output)
    }

    /// Completes the block before a quarter with ACELP.
    private mutating func startACELP(_ data: borrowing LPDChannelData, quarter: Int, filterBank: inout CoreFilterBank) {
        let time = quarter * (frameLength / 4)
        switch lastBlock {
        case .acelp: return
        case .tcx:
            fall(at: time, filterBank.values(.init(length: .quarter)))
            guard data.aliasing[quarter].isPresent else { break }
            let count = data.aliasing[quarter].count
            computeCorrection(
                data.aliasing[quarter], gain: correctionGain(count: count), isShaped: true, filter: lastFilter, filterBank: &filterBank)
            addCorrection(at: time - count, count: count)
        case .frequencyDomain, .shortWindows:
            guard data.aliasing[quarter].isPresent else { break }
            let count = data.aliasing[quarter].count
            computeCorrection(
                data.aliasing[quarter], gain: Self.gain(data.aliasing[quarter].gain), isShaped: false, filter: lastFilter,
                filterBank: &filterBank)
            addCorrection(at: time - count, count: count)
        }
        completeExcitation(until: time)
    }

    /// Returns the gain for a 7-bit code.
    package static func gain(_ code: Int) -> Float { Float(PortableMath.power(10, Double(code) / 28)) }

    /// Applies the lag at the start of ACELP to the preceding samples, for the post filter.
    private mutating func spreadLag(_ data: borrowing LPDChannelData, quarter: Int) {
        guard data.hasPostFilter, lastBlock != .acelp else { return }
        let slot = (quarter * (frameLength / 4) + frameLength / 2) / 64
        for index in slot - (lastBlock == .shortWindows ? 1 : 2)..<slot {
            lags[index] = lags[slot]
            gains[index] = gains[slot]
        }
    }

    private mutating func decodeTCXBlock(
        _ data: borrowing LPDChannelData, quarter: Int, seed: inout UInt32, filterBank: inout CoreFilterBank
    ) {
        let time = quarter * (frameLength / 4)
        let isAfterACELP = lastBlock == .acelp
        if isAfterACELP && (quarter > 0 || hadPostFilter) {
            let slot = (time + frameLength / 2) / 64
            for index in slot..<slot + 2 {
                lags[index] = lags[slot - 1]
                gains[index] = gains[slot - 1]
            }
        }
        if lastBlock == .tcx { fall(at: time, filterBank.values(.init(length: .quarter))) }
        decodeTCX(data, quarter: quarter, seed: &seed, filterBank: &filterBank)
        do {
            let window = filterBank.values(.init(length: lastBlock == .shortWindows ? .short : .quarter))
            addTCX(at: time, filterBank.folded.span, window, isAfterACELP: isAfterACELP)
            if isAfterACELP { addDecay(at: time, window) }
        }
        if isAfterACELP {
            if data.aliasing[quarter].isPresent {
                let count = data.aliasing[quarter].count
                computeCorrection(
                    data.aliasing[quarter], gain: correctionGain(count: count), isShaped: true, filter: lastFilter, filterBank: &filterBank)
                addCorrection(at: time, count: 2 * count)
            }
        } else {
            completeExcitation(until: time)
        }
        pendingStart = time
    }

    /// Joins a frequency-domain frame to the previous block.
    ///
    /// Call ``advance()`` first.
    ///
    /// - Parameters:
    ///   - frame: The first half of the frame, with a rising slope for the transition. Replaced with the output.
    ///   - aliasing: The frame's forward aliasing cancellation data.
    ///   - isShort: Whether the frame has eight short windows.
    mutating func finish(
        with frame: inout MutableSpan<Float>, aliasing: borrowing AliasingData, isShort: Bool, filterBank: inout CoreFilterBank
    ) {
        let half = frameLength / 2
        let isAfterACELP = lastBlock == .acelp
        let overlap = overlapLength(isShort: isShort)
        do {
            let window = filterBank.values(.init(length: isShort ? .short : .quarter))
            if !isAfterACELP { fall(at: 0, window) }
            var target = signal.mutableSpan
            if isAfterACELP {
                for index in 0..<half { target[origin + index] = frame[half + index] }
            } else {
                for index in -overlap..<overlap { target[origin + index] += frame[half + index] }
                for index in overlap..<half { target[origin + index] = frame[half + index] }
            }
        }
        if isAfterACELP {
            addDecay(at: 0, filterBank.values(.init(length: isShort ? .short : .quarter)))
            if aliasing.isPresent {
                computeCorrection(
                    aliasing, gain: Self.gain(aliasing.gain), isShaped: false, filter: lastFilter, filterBank: &filterBank)
                addCorrection(at: 0, count: 2 * aliasing.count)
            }
            let slot = half / 64
            for index in slot..<slot + (isShort ? 1 : 2) {
                lags[index] = lags[slot - 1]
                gains[index] = gains[slot - 1]
            }
        }
        filterBass(until: half, into: &frame)
    }
}
