// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

extension FilterBank {
    /// Computes the coefficients of one block of one channel.
    ///
    /// - Parameters:
    ///   - input: Two blocks of consecutive samples, scaled to ±32768.
    ///   - previousShape: The shape of the rising half, which is the previous block's shape.
    ///   - shape: The shape of the falling half, and of all inner halves of eight short windows.
    ///   - coefficients: Receives one block, for eight short windows in window order.
    package mutating func analyze(
        _ input: Span<Float>, sequence: WindowSequence, previousShape: WindowShape, shape: WindowShape,
        into coefficients: inout MutableSpan<Float>
    ) {
        precondition(input.count == 2 * frameLength && coefficients.count == frameLength)
        if sequence == .eightShort {
            return analyzeShort(input, previousShape: previousShape, shape: shape, into: &coefficients)
        }
        fold(
            input, rising: windowRange(isShort: sequence.risesShort, previousShape),
            falling: windowRange(isShort: sequence.fallsShort, shape))
        long.forward(folded.span, into: &coefficients, at: 0)
    }

    private mutating func analyzeShort(
        _ input: Span<Float>, previousShape: WindowShape, shape: WindowShape, into coefficients: inout MutableSpan<Float>
    ) {
        let first = (frameLength - shortLength) / 2
        let falling = windowRange(isShort: true, shape)
        for window in 0..<8 {
            let part = input.extracting(first + window * shortLength..<first + (window + 2) * shortLength)
            let rising = window == 0 ? windowRange(isShort: true, previousShape) : falling
            fold(part, rising: rising, falling: falling)
            short.forward(folded.span, into: &coefficients, at: window * shortLength)
        }
    }

    /// Windows 2 M samples and folds them into the first M values of `folded`.
    ///
    /// - Parameters:
    ///   - rising: The range of the window's rising half in ``windows``.
    ///   - falling: The range of the falling half in ``windows``, where it is stored in reverse.
    private mutating func fold(_ input: Span<Float>, rising: Range<Int>, falling: Range<Int>) {
        let windows = windows
        var target = folded.mutableSpan
        Self.foldRising(input, windows.span.extracting(rising), into: &target)
        Self.foldFalling(input, windows.span.extracting(falling), into: &target)
    }

    /// Windows the first half of the input and folds it into the second half of the block: z[n] - z[M-1-n].
    ///
    /// A window shorter than M is centred, with zeros before and ones after it.
    static func foldRising(_ input: Span<Float>, _ window: Span<Float>, into folded: inout MutableSpan<Float>) {
        let length = input.count / 2
        let half = length / 2
        let flat = (length &- window.count) / 2
        // All accesses below are within these bounds.
        precondition(window.count <= length && half &+ flat &+ window.count / 2 <= folded.count)
        var n = 0
        while n < flat {
            let late = unsafe input.vector(unchecked: length &- 4 &- n).reversed
            unsafe folded.store(SIMD4(repeating: 0) - late, unchecked: half &+ n)
            n &+= 4
        }
        n = 0
        while n < window.count / 2 {
            let early = unsafe input.vector(unchecked: flat &+ n) * window.vector(unchecked: n)
            let late = unsafe input.vector(unchecked: length &- 4 &- flat &- n) * window.vector(unchecked: window.count &- 4 &- n)
            unsafe folded.store(early - late.reversed, unchecked: half &+ flat &+ n)
            n &+= 4
        }
    }

    /// Windows the second half of the input and folds it into the first half of the block: -z[3M/2-1-n] - z[3M/2+n].
    static func foldFalling(_ input: Span<Float>, _ window: Span<Float>, into folded: inout MutableSpan<Float>) {
        let length = input.count / 2
        let half = length / 2
        let slope = window.count / 2
        // All accesses below are within these bounds.
        precondition(slope <= half && half <= folded.count)
        var n = 0
        while n < slope {
            let early = unsafe input.vector(unchecked: length &+ half &- 4 &- n).reversed * window.vector(unchecked: slope &+ n)
            let late = unsafe input.vector(unchecked: length &+ half &+ n) * window.vector(unchecked: slope &- 4 &- n).reversed
            unsafe folded.store(SIMD4(repeating: 0) - early - late, unchecked: n)
            n &+= 4
        }
        n = slope
        while n < half {
            let early = unsafe input.vector(unchecked: length &+ half &- 4 &- n).reversed
            unsafe folded.store(SIMD4(repeating: 0) - early, unchecked: n)
            n &+= 4
        }
    }
}
