// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The low delay filter bank of AAC-ELD in both directions (ISO/IEC 14496-3:2009, 4.6.20.2).
///
/// Its window of 4N values is not symmetric, and the first N/4 of them are 0. With u the type-IV cosine transform of a block, divided by N,
/// the extended signal y, which the window is applied to, is made of five parts:
///
///     y(n) = -u(N/2 - 1 - n)    for        n < N/2
///     y(n) = -u(n - N/2)        for N/2 <= n < 3N/2
///     y(n) = u(5N/2 - 1 - n)    for 3N/2 <= n < 5N/2
///     y(n) = u(n - 5N/2)        for 5N/2 <= n < 7N/2
///     y(n) = -u(9N/2 - 1 - n)   for 7N/2 <= n
///
/// Analysis folds by the same parts with the signs reversed, after a window reversed in time. The bank holds tables and workspace, no
/// history. Samples are at ±32768, coefficients at the scale of the bitstream, so that synthesis inverts analysis.
package struct LowDelayFilterBank: ~Copyable {
    /// N, the samples of a block: 512 or 480.
    package let frameLength: Int
    /// The transform.
    private var transform: MDCT
    /// w(n) from n = N/4 on.
    private let window: ContiguousArray<Float>
    /// One block, between window and transform.
    private var folded: FixedArray<Float>

    /// Computes the tables.
    ///
    /// - Parameter frameLength: 512 or 480.
    package init(frameLength: Int) {
        self.frameLength = frameLength
        transform = MDCT(frameLength)
        window = frameLength == 512 ? LowDelayWindows.coefficients512 : LowDelayWindows.coefficients480
        folded = FixedArray(repeating: 0, count: frameLength)
    }

    /// The history of one channel in synthesis: the samples that later blocks complete.
    package struct State: ~Copyable {
        /// 11N/4 samples, the next one first.
        fileprivate var samples: FixedArray<Float>

        /// Makes a silent history.
        package init(frameLength: Int) { samples = FixedArray(repeating: 0, count: 11 * frameLength / 4) }

        /// Returns to silence.
        package mutating func reset() { samples.fill(0) }

        /// Copies the history of another channel of the same frame length.
        package mutating func copy(_ other: borrowing State) { samples.copy(other.samples) }
    }

    /// Returns the number of samples that analysis of a block takes, 15N/4.
    package static func inputCount(frameLength: Int) -> Int { 15 * frameLength / 4 }

    /// Computes the coefficients of one block of one channel.
    ///
    /// - Parameters:
    ///   - input: 15N/4 consecutive samples, at ±32768. The output of a decoder for this block are samples 9N/4 to 13N/4 - 1 of them.
    ///   - coefficients: Receives one block.
    package mutating func analyze(_ input: Span<Float>, into coefficients: inout MutableSpan<Float>) {
        precondition(input.count == Self.inputCount(frameLength: frameLength) && coefficients.count == frameLength)
        let window = window
        do {
            var target = folded.mutableSpan
            Self.fold(input, window.span, into: &target)
        }
        transform.forward(folded.span, into: &coefficients, at: 0)
    }

    /// Windows the input and folds it to N values.
    private static func fold(_ input: Span<Float>, _ window: Span<Float>, into folded: inout MutableSpan<Float>) {
        let length = folded.count
        let half = length / 2
        /// Returns four windowed samples from n on.
        @inline(__always)
        func values(_ n: Int) -> SIMD4<Float> { input.vector(at: n) * window.vector(at: input.count &- 4 &- n).reversed }
        var m = 0
        while m < length {
            var sum = values(half &+ m) - values(5 &* half &- 4 &- m).reversed - values(5 &* half &+ m)
            if m < half { sum += values(half &- 4 &- m).reversed }
            // Below the window is 0.
            if m >= 3 &* half / 2 { sum += values(9 &* half &- 4 &- m).reversed }
            folded.store(sum, at: m)
            m &+= 4
        }
    }

    /// Computes the samples, at ±32768, that one block completes, and keeps the others in `state`.
    ///
    /// - Parameters:
    ///   - coefficients: One block.
    ///   - state: The channel's history, updated with this block.
    ///   - output: Receives one block.
    package mutating func synthesize(_ coefficients: Span<Float>, state: inout State, into output: inout MutableSpan<Float>) {
        precondition(coefficients.count == frameLength && output.count == frameLength)
        do {
            var target = folded.mutableSpan
            transform.inverse(coefficients, into: &target)
        }
        let half = frameLength / 2
        var overlap = state.samples.mutableSpan
        add(half / 2..<half, &overlap, &output) { (u, n) in SIMD4(repeating: 0) - u.vector(at: half &- 4 &- n).reversed }
        add(half..<3 * half, &overlap, &output) { (u, n) in SIMD4(repeating: 0) - u.vector(at: n &- half) }
        add(3 * half..<5 * half, &overlap, &output) { (u, n) in u.vector(at: 5 &* half &- 4 &- n).reversed }
        add(5 * half..<7 * half, &overlap, &output) { (u, n) in u.vector(at: n &- 5 &* half) }
        add(7 * half..<8 * half, &overlap, &output) { (u, n) in SIMD4(repeating: 0) - u.vector(at: 9 &* half &- 4 &- n).reversed }
    }

    /// Adds a part of the extended signal, windowed, to the history, which moves on by a block into the output.
    ///
    /// - Parameter value: Returns four values from n on, by ``folded``.
    @inline(__always)
    private func add(
        _ range: Range<Int>, _ overlap: inout MutableSpan<Float>, _ output: inout MutableSpan<Float>,
        _ value: (_ u: Span<Float>, _ n: Int) -> SIMD4<Float>
    ) {
        let (u, window, first) = (folded.span, window.span, frameLength / 4)
        var n = range.lowerBound
        while n < range.upperBound {
            let index = n &- first
            var sum = value(u, n) * window.vector(at: index)
            if index < overlap.count { sum += overlap.vector(at: index) }
            if index < frameLength { output.store(sum, at: index) } else { overlap.store(sum, at: index &- frameLength) }
            n &+= 4
        }
    }
}
