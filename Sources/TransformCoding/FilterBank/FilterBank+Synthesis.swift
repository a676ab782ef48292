// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// The synthesis filter bank's history for one channel.
package struct OverlapState: ~Copyable {
    /// The second half of the previous block, windowed; or if ``isFolded``, its folded values.
    fileprivate var samples: FixedArray<Float>

    /// Whether ``samples`` starts with half a block of folded values, for a long window without flat parts.
    fileprivate var isFolded = false

    package var previousShape = WindowShape.sine

    /// Creates a silent history with the sine window.
    package init(frameLength: Int) { samples = FixedArray(repeating: 0, count: frameLength) }

    /// Resets to silence and the sine window.
    package mutating func reset() {
        samples.fill(0)
        isFolded = false
        previousShape = .sine
    }

    /// Copies the history of another channel with the same frame length.
    package mutating func copy(_ other: borrowing OverlapState) {
        samples.copy(other.samples)
        isFolded = other.isFolded
        previousShape = other.previousShape
    }
}

extension FilterBank {
    /// Computes the samples, scaled to ±32768, that a block completes, and stores its other half in `state`.
    ///
    /// - Parameters:
    ///   - coefficients: One block, for eight short windows in window order.
    ///   - state: The channel's history. The call adds this block.
    ///   - output: Receives one block.
    package mutating func synthesize(
        _ coefficients: Span<Float>, sequence: WindowSequence, shape: WindowShape, state: inout OverlapState,
        into output: inout MutableSpan<Float>
    ) {
        precondition(coefficients.count == frameLength && output.count == frameLength)
        let previousShape = state.previousShape
        if sequence.risesShort { unfold(&state) }
        state.previousShape = shape
        if sequence == .eightShort {
            sumShortBlocks(coefficients, previousShape: previousShape, shape: shape)
            var overlap = state.samples.mutableSpan
            return addShortSum(to: &overlap, into: &output)
        }
        let rising = windowRange(isShort: sequence.risesShort, previousShape)
        let falling = windowRange(isShort: sequence.fallsShort, shape)
        do {
            var target = folded.mutableSpan
            long.inverse(coefficients, into: &target)
        }
        let windows = windows
        let source = folded.span.extracting(0..<frameLength)
        if state.isFolded {
            Self.addLong(source, windows.span.extracting(rising), previous: state.samples.span, into: &output)
        } else {
            Self.addRising(source, windows.span.extracting(rising), state.samples.span, into: &output, at: 0)
        }
        state.isFolded = falling.count == frameLength
        if state.isFolded {
            state.samples.copy(source.extracting(0..<frameLength / 2), to: 0)
        } else {
            var overlap = state.samples.mutableSpan
            Self.storeFalling(source, windows.span.extracting(falling), into: &overlap)
        }
    }

    /// Stores the windowed second half of the previous block in `overlap`, one block.
    package func copyOverlap(of state: borrowing OverlapState, into overlap: inout MutableSpan<Float>) {
        let samples = state.samples.span
        if state.isFolded {
            Self.storeFalling(samples, windows.span.extracting(windowRange(isShort: false, state.previousShape)), into: &overlap)
        } else {
            for index in stride(from: 0, to: frameLength, by: 4) { overlap.store(samples.vector(at: index), at: index) }
        }
    }

    /// Replaces the folded values of `state` with the windowed half.
    private mutating func unfold(_ state: inout OverlapState) {
        guard state.isFolded else { return }
        folded.copy(state.samples)
        state.isFolded = false
        var overlap = state.samples.mutableSpan
        Self.storeFalling(folded.span, windows.span.extracting(windowRange(isShort: false, state.previousShape)), into: &overlap)
    }

    /// Overlap-adds the eight short blocks into `shortSum`.
    private mutating func sumShortBlocks(_ coefficients: Span<Float>, previousShape: WindowShape, shape: WindowShape) {
        let (length, windows) = (shortLength, windows)
        let falling = windowRange(isShort: true, shape)
        shortOverlap.fill(0)
        for window in 0..<8 {
            let rising = window == 0 ? windowRange(isShort: true, previousShape) : falling
            do {
                var target = folded.mutableSpan
                short.inverse(coefficients.extracting(window * length..<(window + 1) * length), into: &target)
            }
            let source = folded.span.extracting(0..<length)
            var sum = shortSum.mutableSpan
            Self.addRising(source, windows.span.extracting(rising), shortOverlap.span, into: &sum, at: window * length)
            var overlap = shortOverlap.mutableSpan
            Self.storeFalling(source, windows.span.extracting(falling), into: &overlap)
        }
        for index in 0..<length {
            shortSum[8 * length + index] = shortOverlap[index]
        }
    }

    /// Adds `shortSum` to the centre of the overlap and splits the result into output and next overlap.
    private func addShortSum(to overlap: inout MutableSpan<Float>, into output: inout MutableSpan<Float>) {
        let first = (frameLength - shortLength) / 2
        let split = frameLength - first
        let sum = shortSum.span
        var n = 0
        while n < first {
            output.store(overlap.vector(at: n), at: n)
            n &+= 4
        }
        n = 0
        while n < split {
            output.store(overlap.vector(at: first &+ n) + sum.vector(at: n), at: first &+ n)
            n &+= 4
        }
        n = 0
        while n < split {
            overlap.store(sum.vector(at: split &+ n), at: n)
            n &+= 4
        }
        n = split
        while n < frameLength {
            overlap.store(SIMD4(repeating: 0), at: n)
            n &+= 4
        }
    }
}

extension FilterBank {
    /// Unfolds and windows the first half of a block and adds it to the overlap.
    ///
    /// A window shorter than the half is centred, with zeros before and ones after it.
    static func addRising(
        _ folded: Span<Float>, _ window: Span<Float>, _ overlap: Span<Float>, into output: inout MutableSpan<Float>,
        at first: Int
    ) {
        let length = folded.count
        let half = length / 2
        let flat = (length &- window.count) / 2
        // All accesses below are within these bounds, and all lengths are multiples of eight.
        precondition(length & 7 == 0 && window.count & 7 == 0 && window.count <= length && overlap.count >= length)
        precondition(first >= 0 && first <= output.count &- length)
        var n = 0
        while n < flat {
            let mirror = length &- 4 &- n
            unsafe output.store(overlap.vector(unchecked: n), unchecked: first &+ n)
            let late = unsafe folded.vector(unchecked: half &+ n).reversed
            unsafe output.store(overlap.vector(unchecked: mirror) - late, unchecked: first &+ mirror)
            n &+= 4
        }
        n = flat
        while n < half {
            let mirror = length &- 4 &- n
            let value = unsafe folded.vector(unchecked: half &+ n)
            let early = unsafe value * window.vector(unchecked: n &- flat)
            let late = unsafe value.reversed * window.vector(unchecked: mirror &- flat)
            unsafe output.store(overlap.vector(unchecked: n) + early, unchecked: first &+ n)
            unsafe output.store(overlap.vector(unchecked: mirror) - late, unchecked: first &+ mirror)
            n &+= 4
        }
    }

    /// Unfolds and windows the second half of the previous block and the first half of this one, and adds both.
    ///
    /// - Parameters:
    ///   - window: The rising half of a long window without flat parts. The previous block falls with the same shape.
    ///   - previous: The first half of the previous block's folded values.
    private static func addLong(
        _ folded: Span<Float>, _ window: Span<Float>, previous: Span<Float>, into output: inout MutableSpan<Float>
    ) {
        let length = folded.count
        let half = length / 2
        // All accesses below are within these bounds.
        precondition(length & 7 == 0 && window.count == length && previous.count >= half && output.count >= length)
        var n = 0
        while n < half {
            let mirror = length &- 4 &- n
            let value = unsafe folded.vector(unchecked: half &+ n)
            let previousValue = unsafe previous.vector(unchecked: half &- 4 &- n).reversed
            let (rise, fall) = unsafe (window.vector(unchecked: n), window.vector(unchecked: mirror).reversed)
            unsafe output.store(value * rise - previousValue * fall, unchecked: n)
            unsafe output.store((SIMD4(repeating: 0) - (previousValue * rise + value * fall)).reversed, unchecked: mirror)
            n &+= 4
        }
    }

    /// Unfolds and windows the second half of a block.
    static func storeFalling(_ folded: Span<Float>, _ window: Span<Float>, into overlap: inout MutableSpan<Float>) {
        let half = folded.count / 2
        let slope = window.count / 2
        // As above.
        precondition(folded.count & 7 == 0 && window.count & 7 == 0 && window.count <= folded.count && overlap.count >= folded.count)
        var n = 0
        while n < slope {
            let value = unsafe SIMD4(repeating: 0) - folded.vector(unchecked: n)
            let early = unsafe value * window.vector(unchecked: slope &+ n)
            let late = unsafe value * window.vector(unchecked: slope &- 4 &- n).reversed
            unsafe overlap.store(early.reversed, unchecked: half &- 4 &- n)
            unsafe overlap.store(late, unchecked: half &+ n)
            n &+= 4
        }
        n = slope
        while n < half {
            let value = unsafe SIMD4(repeating: 0) - folded.vector(unchecked: n)
            unsafe overlap.store(value.reversed, unchecked: half &- 4 &- n)
            unsafe overlap.store(SIMD4(repeating: 0), unchecked: half &+ n)
            n &+= 4
        }
    }
}
