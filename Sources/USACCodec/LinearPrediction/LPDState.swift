// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The state of one channel in the linear prediction domain (ISO/IEC 23003-3, 7.12 to 7.17).
///
/// Time is counted in samples of the current frame, whose first quarter begins at 0; the output of the frame begins half a frame before that.
/// Samples at time t are at index ``origin`` + t.
package struct LPDState: ~Copyable {
    /// The coding of the block before.
    enum Block {
        /// The frequency domain, with a long window.
        case frequencyDomain
        /// Eight short windows of the frequency domain.
        case shortWindows
        /// ACELP.
        case acelp
        /// TCX.
        case tcx
    }

    /// Samples of a frame, 1024 or 768.
    let frameLength: Int
    /// The index of time 0.
    package let origin: Int
    /// The ranges of lags.
    let lagRanges: LagRanges
    /// The signal; samples after the last block are those of a TCX without their window.
    package var signal: FixedArray<Float>
    /// The excitation: the signal, with pre-emphasis, filtered by A(z).
    package var excitation: FixedArray<Float>
    /// The coding of the last block.
    var lastBlock = Block.frequencyDomain
    /// The start of the last block, if its excitation is still to be computed.
    var pendingStart = 0
    /// The filter at the end of the last block.
    package var lastFilter = PredictionFilter()
    /// The line spectral frequencies.
    package var frequencies = LineSpectralFrequencies()
    /// The threshold of the smoothing of gains.
    package var gainThreshold: Float = 0
    /// The last TCX.
    package var tcx = TCXGains()
    /// The lag of each 64 samples from the start of the output on.
    package var lags: FixedArray<Int>
    /// The gain of the post filter, likewise.
    package var gains: FixedArray<Float>
    /// The signal that the post filter removes, from 12 samples before the output on.
    package var residue: FixedArray<Float>
    /// Whether the frame before had the post filter.
    var hadPostFilter = false
    /// The innovation of a subframe.
    var innovation = InnovationDecoder()
    /// The adaptive codebook of a subframe, filtered.
    var adaptiveCodebook = FixedArray<Float>(repeating: 0, count: 64)
    /// The innovation of a subframe, filtered, between four zeros on either side.
    var fixedCodebook = FixedArray<Float>(repeating: 0, count: 72)
    /// Working space.
    var work: FixedArray<Float>
    /// Working space for forward aliasing cancellation.
    package var correction: FixedArray<Float>
    /// The cosines, then the sines, of half of the angles at which a TCX is shaped, then both of twice the angles; the other half is their mirror image.
    let shapeAngles: FixedArray<Float>
    /// The spectral envelope of each of the five sets of frequencies, at all angles.
    var envelopes: FixedArray<Float>
    /// The sets whose envelope is known in this frame: a bit for each.
    var knownEnvelopes: UInt8 = 0

    /// The gain of a TCX, and of its lowest lines.
    package struct TCXGains {
        /// The gain of all lines.
        package var gain: Float = 0
        /// The number of lines.
        package var length = 256
        /// The gains of the lowest lines, of groups of eight.
        package var low = SIMD32<Float>()
    }

    /// Makes a state before the first frame.
    package init(frameLength: Int, coreRate: Int) {
        self.frameLength = frameLength
        origin = frameLength / 2 + 512
        lagRanges = LagRanges(coreRate: coreRate)
        signal = FixedArray(repeating: 0, count: origin + frameLength + frameLength / 4)
        excitation = FixedArray(repeating: 0, count: origin + frameLength + 64)
        lags = FixedArray(repeating: 64, count: frameLength / 128 + frameLength / 64)
        gains = FixedArray(repeating: 0, count: frameLength / 128 + frameLength / 64)
        residue = FixedArray(repeating: 0, count: frameLength + 76)
        work = FixedArray(repeating: 0, count: frameLength)
        correction = FixedArray(repeating: 0, count: frameLength / 4 + 16)
        let pointCount = frameLength / 16
        let half = pointCount / 2
        shapeAngles = FixedArray(count: 4 * half) { index in
            let angle = (Double(index % half) + 0.5) / Double(pointCount) * (index < 2 * half ? 1 : 2)
            return Float(index / half % 2 == 0 ? CircularFunctions.cosinePi(angle) : CircularFunctions.sinePi(angle))
        }
        envelopes = FixedArray(repeating: 0, count: 5 * pointCount)
    }

    /// Begins a frame after one of the same domain: what was at time t is at t minus the length of a frame then.
    package mutating func advance() {
        signal.copy(frameLength..<signal.count, to: 0)
        excitation.copy(frameLength..<excitation.count, to: 0)
        residue.copy(frameLength..<frameLength + 76, to: 0)
        let kept = frameLength / 128
        for index in 0..<lags.count {
            lags[index] = index < kept ? lags[index + 2 * kept] : 64
            gains[index] = index < kept ? gains[index + 2 * kept] : 0
        }
        pendingStart -= frameLength
    }

    /// Begins a frame after one of the frequency domain.
    ///
    /// - Parameters:
    ///   - overlap: The second half of that frame, windowed for the transition.
    ///   - isShort: Whether it has eight short windows.
    package mutating func start(after overlap: Span<Float>, isShort: Bool) {
        signal.fill(0)
        excitation.fill(0)
        residue.fill(0)
        lags.fill(64)
        gains.fill(0)
        gainThreshold = 0
        hadPostFilter = false
        knownEnvelopes = 0
        lastBlock = isShort ? .shortWindows : .frequencyDomain
        pendingStart = -frameLength / 2
        let first = origin - frameLength / 2
        let count = frameLength / 2 + frameLength / 8
        var target = signal.mutableSpan
        for index in 0..<count { target[first + index] = overlap[index] }
    }

    /// Returns the samples that overlap at a border, on either side of it, that depend on the block before.
    package func overlapLength(isShort: Bool) -> Int { isShort ? frameLength / 16 : frameLength / 8 }

    /// Windows the end of a TCX, once it is known what follows.
    ///
    /// - Parameters:
    ///   - end: The time at which it ends.
    ///   - window: The rising slope, of twice the samples that overlap on either side.
    package mutating func fall(at end: Int, _ window: Span<Float>) {
        let length = window.count
        let longest = frameLength / 4
        var target = signal.mutableSpan
        let center = origin + end
        let first = center - length / 2
        for index in stride(from: 0, to: length, by: 4) {
            target.store(target.vector(at: first &+ index) * window.vector(at: length &- 4 &- index).reversed, at: first &+ index)
        }
        for index in stride(from: center + length / 2, to: center + longest / 2, by: 4) {
            target.store(SIMD4(repeating: 0), at: index)
        }
    }

    /// Computes the excitation of the last block, whose signal is complete now.
    mutating func completeExcitation(until end: Int) {
        guard pendingStart < end else { return }
        let first = max(pendingStart, end - Self.excitationHistory)
        let count = end - first
        // The signal with pre-emphasis, from 16 samples before, and a vector beyond.
        do {
            let past = origin + first - 16
            let values = signal.span
            var target = work.mutableSpan
            for index in stride(from: 0, to: count + 16, by: 4) {
                let before = values.vector(at: past &+ index &- 1)
                target.store(values.vector(at: past &+ index) - before * Self.preEmphasis, at: index)
            }
            target.store(SIMD4(repeating: 0), at: count + 16)
        }
        let source = work.span
        var target = excitation.mutableSpan
        let filter = lastFilter
        let (low, high) = (filter.lower, filter.upper)
        for n in stride(from: 0, to: count, by: 4) {
            let past = source.extracting(n..<n &+ 20)
            var sums = past.vector(at: 16) + past.vector(at: 15) * low[0] + past.vector(at: 14) * low[1]
            sums += past.vector(at: 13) * low[2] + past.vector(at: 12) * low[3]
            sums += past.vector(at: 11) * low[4] + past.vector(at: 10) * low[5]
            sums += past.vector(at: 9) * low[6] + past.vector(at: 8) * low[7]
            sums += past.vector(at: 7) * high[0] + past.vector(at: 6) * high[1]
            sums += past.vector(at: 5) * high[2] + past.vector(at: 4) * high[3]
            sums += past.vector(at: 3) * high[4] + past.vector(at: 2) * high[5]
            sums += past.vector(at: 1) * high[6] + past.vector(at: 0) * high[7]
            // Blocks and ``excitationHistory`` are whole vectors.
            target.store(sums, at: origin &+ first &+ n)
        }
        pendingStart = end
    }

    /// The samples of the excitation before a block that ACELP may refer to, and a few more.
    private static let excitationHistory = 480

    /// The coefficient of pre-emphasis.
    static let preEmphasis: Float = 0.68
}

/// The ranges of the lags of ACELP at a core rate (ISO/IEC 23003-3, 7.14).
package struct LagRanges {
    /// The smallest lag.
    package let minimum: Int
    /// The lag from which on there are half samples only.
    let halfStart: Int
    /// The lag from which on there are whole samples only.
    let wholeStart = 160
    /// The largest lag.
    package let maximum: Int

    /// Computes the ranges of a core rate in hertz.
    package init(coreRate: Int) {
        let shift = (34 * coreRate + 6400) / 12_800 - 34
        minimum = 34 + shift
        halfStart = 128 - shift
        maximum = 231 + 6 * shift
    }

    /// A lag in quarters of a sample.
    package struct Lag {
        /// The whole samples.
        package var whole = 64
        /// The quarters.
        package var fraction = 0
    }

    /// Returns the lag of an index of 9 bits.
    package func lag(_ index: Int) -> Lag {
        let quarterCount = 4 * (halfStart - minimum)
        let halfCount = 2 * (wholeStart - halfStart)
        if index < quarterCount { return Lag(whole: minimum + index / 4, fraction: index % 4) }
        if index < quarterCount + halfCount {
            return Lag(whole: halfStart + (index - quarterCount) / 2, fraction: 2 * ((index - quarterCount) % 2))
        }
        return Lag(whole: wholeStart + index - quarterCount - halfCount, fraction: 0)
    }

    /// Returns the smallest lag that an index of 6 bits after a lag can stand for.
    package func start(after lag: Lag) -> Int {
        let start = max(lag.whole - 8, minimum)
        return start + 15 > maximum ? maximum - 15 : start
    }
}
