// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The state of one channel in the linear prediction domain (ISO/IEC 23003-3, 7.12 to 7.17).
///
/// Time is in samples of the current frame, whose first quarter starts at 0. The output of the frame starts half a frame earlier. The
/// sample at time t is at index ``origin`` + t.
package struct LPDState: ~Copyable {
    /// The coding of the previous block.
    enum Block {
        /// Frequency domain with a long window.
        case frequencyDomain
        /// Frequency domain with eight short windows.
        case shortWindows
        case acelp
        case tcx
    }

    /// The number of samples per frame, 1024 or 768.
    let frameLength: Int
    /// The index of time 0.
    package let origin: Int
    let lagRanges: LagRanges
    /// The signal, in which samples after the last block belong to an unwindowed TCX block.
    package var signal: FixedArray<Float>
    /// The excitation: the pre-emphasized signal, filtered with A(z).
    package var excitation: FixedArray<Float>
    var lastBlock = Block.frequencyDomain
    /// The start of the last block, if its excitation has not been computed.
    var pendingStart = 0
    /// The filter at the end of the last block.
    package var lastFilter = PredictionFilter()
    package var frequencies = LineSpectralFrequencies()
    /// The threshold for gain smoothing.
    package var gainThreshold: Float = 0
    /// The gains of the last TCX block.
    package var tcx = TCXGains()
    /// The lag of each 64 samples, starting at the output.
    package var lags: FixedArray<Int>
    /// The post filter gain of each 64 samples, starting at the output.
    package var gains: FixedArray<Float>
    /// The signal that the post filter removes, starting 12 samples before the output.
    package var residue: FixedArray<Float>
    /// Whether the previous frame used the post filter.
    var hadPostFilter = false
    var innovation = InnovationDecoder()
    /// The filtered adaptive codebook of a subframe.
    var adaptiveCodebook = FixedArray<Float>(repeating: 0, count: 64)
    /// The filtered innovation of a subframe, padded with four zeros at both ends.
    var fixedCodebook = FixedArray<Float>(repeating: 0, count: 72)
    var work: FixedArray<Float>
    /// Workspace for forward aliasing cancellation.
    package var correction: FixedArray<Float>
    /// The cosines, then sines, of half the angles for TCX shaping, then of twice these angles.
    ///
    /// The other half is mirrored.
    let shapeAngles: FixedArray<Float>
    /// The spectral envelope of each of the five frequency sets, at all angles.
    var envelopes: FixedArray<Float>
    /// The sets with a known envelope in this frame, one bit each.
    var knownEnvelopes: UInt8 = 0

    package struct TCXGains {
        /// The gain of all lines.
        package var gain: Float = 0
        /// The number of lines.
        package var length = 256
        /// The gains of the lowest lines, in groups of eight.
        package var low = SIMD32<Float>()
    }

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

    /// Shifts the history by one frame, before a frame that follows one in the same domain.
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

    /// Starts a frame that follows a frequency-domain frame.
    ///
    /// - Parameters:
    ///   - overlap: The second half of that frame, windowed for the transition.
    ///   - isShort: Whether that frame has eight short windows.
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

    /// Returns the number of samples on either side of a boundary that depend on the previous block.
    package func overlapLength(isShort: Bool) -> Int { isShort ? frameLength / 16 : frameLength / 8 }

    /// Windows the end of a TCX block, once the next block is known.
    ///
    /// - Parameter window: The rising slope, twice as long as the overlap on either side.
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

    /// Computes the excitation of the last block, whose signal is now complete.
    mutating func completeExcitation(until end: Int) {
        guard pendingStart < end else { return }
        let first = max(pendingStart, end - Self.excitationHistory)
        let count = end - first
        // The pre-emphasized signal, starting 16 samples earlier, plus a vector.
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
            let history = source.extracting(n..<n &+ 20)
            var sums = history.vector(at: 16) + history.vector(at: 15) * low[0] + history.vector(at: 14) * low[1]
            sums += history.vector(at: 13) * low[2] + history.vector(at: 12) * low[3]
            sums += history.vector(at: 11) * low[4] + history.vector(at: 10) * low[5]
            sums += history.vector(at: 9) * low[6] + history.vector(at: 8) * low[7]
            sums += history.vector(at: 7) * high[0] + history.vector(at: 6) * high[1]
            sums += history.vector(at: 5) * high[2] + history.vector(at: 4) * high[3]
            sums += history.vector(at: 3) * high[4] + history.vector(at: 2) * high[5]
            sums += history.vector(at: 1) * high[6] + history.vector(at: 0) * high[7]
            // Blocks and ``excitationHistory`` are multiples of four long.
            target.store(sums, at: origin &+ first &+ n)
        }
        pendingStart = end
    }

    /// The number of earlier excitation samples that ACELP may refer to, plus a few.
    private static let excitationHistory = 480

    static let preEmphasis: Float = 0.68
}

/// The lag ranges of ACELP for a core sample rate (ISO/IEC 23003-3, 7.14).
package struct LagRanges {
    package let minimum: Int
    /// The minimum lag with a resolution of half a sample.
    let halfStart: Int
    /// The minimum lag with a resolution of a whole sample.
    let wholeStart = 160
    package let maximum: Int

    /// Computes the ranges for a core sample rate in hertz.
    package init(coreRate: Int) {
        let shift = (34 * coreRate + 6400) / 12_800 - 34
        minimum = 34 + shift
        halfStart = 128 - shift
        maximum = 231 + 6 * shift
    }

    /// A lag in quarter samples.
    package struct Lag {
        /// The whole samples.
        package var whole = 64
        /// The remaining quarter samples.
        package var fraction = 0
    }

    /// Returns the lag for a 9-bit index.
    package func lag(_ index: Int) -> Lag {
        let quarterCount = 4 * (halfStart - minimum)
        let halfCount = 2 * (wholeStart - halfStart)
        if index < quarterCount { return Lag(whole: minimum + index / 4, fraction: index % 4) }
        if index < quarterCount + halfCount {
            return Lag(whole: halfStart + (index - quarterCount) / 2, fraction: 2 * ((index - quarterCount) % 2))
        }
        return Lag(whole: wholeStart + index - quarterCount - halfCount, fraction: 0)
    }

    /// Returns the minimum lag of a 6-bit index that follows a lag.
    package func start(after lag: Lag) -> Int {
        let start = max(lag.whole - 8, minimum)
        return start + 15 > maximum ? maximum - 15 : start
    }
}
