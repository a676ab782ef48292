// SPDX-License-Identifier: Apache-2.0

/// The AAC-ELD low delay filter bank in both directions (ISO/IEC 14496-3:2009, 4.6.20.2).
///
/// Its window of 4N values is asymmetric, and the first N/4 values are 0. Let u be the DCT-IV of a block, divided by N. The extended
/// signal y, to which the window is applied, consists of five parts:
///
///     y(n) = -u(N/2 - 1 - n)    for        n < N/2
///     y(n) = -u(n - N/2)        for N/2 <= n < 3N/2
///     y(n) = u(5N/2 - 1 - n)    for 3N/2 <= n < 5N/2
///     y(n) = u(n - 5N/2)        for 5N/2 <= n < 7N/2
///     y(n) = -u(9N/2 - 1 - n)   for 7N/2 <= n
///
/// Analysis applies the time-reversed window and folds with the same parts and opposite signs. The filter bank contains tables and
/// workspace, but no history. Samples are scaled to ±32768 and coefficients as in the bitstream, so that synthesis inverts analysis.
///
/// Analysis can also halve the sample rate. The lower half of the coefficients of 2N samples, with the window for twice the rate, equals
/// the coefficients of N samples at half the rate, without a decimator's delay.
///
/// Measured in LowDelay.md#decimation.
package struct LowDelayFilterBank: ~Copyable {
    /// N, the number of samples per block: 512 or 480.
    package let frameLength: Int
    /// The number of samples per block in analysis: N, or 2N if analysis halves the sample rate.
    private let inputLength: Int
    private var transform: MDCT
    /// w(n) for n >= N/4.
    ///
    /// If analysis halves the sample rate, half the window of 2N.
    private let window: ContiguousArray<Float>
    /// One block, between window and transform.
    private var folded: FixedArray<Float>
    /// The coefficients of 2N samples; empty unless analysis halves the sample rate.
    private var wide: FixedArray<Float>

    /// Computes the tables.
    ///
    /// - Parameters:
    ///   - frameLength: 512 or 480.
    ///   - halvesSampleRate: Whether analysis input has twice the sample rate of the coefficients. Synthesis is not available then.
    package init(frameLength: Int, halvesSampleRate: Bool = false) {
        self.frameLength = frameLength
        inputLength = halvesSampleRate ? 2 * frameLength : frameLength
        let window = frameLength == 512 ? LowDelayWindows.coefficients512 : LowDelayWindows.coefficients480
        self.window = halvesSampleRate ? Self.halvedWindow(window) : window
        transform = MDCT(inputLength)
        folded = FixedArray(repeating: 0, count: inputLength)
        wide = FixedArray(repeating: 0, count: halvesSampleRate ? inputLength : 0)
    }

    /// Returns the window for twice the sample rate, interpolated with cubic polynomials, and halved because it weights twice as many
    /// samples.
    private static func halvedWindow(_ window: ContiguousArray<Float>) -> ContiguousArray<Float> {
        ContiguousArray(
            (0..<2 * window.count).map { index in
                // Two samples are a quarter of the distance before and after each value.
                let position = Double(index) / 2 - 0.25
                let first = min(max((index + 1) / 2 - 2, 0), window.count - 4)
                var sum = 0.0
                for point in first..<first + 4 {
                    var weight = 0.5
                    for other in first..<first + 4 where other != point { weight *= (position - Double(other)) / Double(point - other) }
                    sum += weight * Double(window[point])
                }
                return Float(sum)
            })
    }

    /// One channel's synthesis history: the transforms of recent blocks, since a block's extended signal spans four blocks.
    package struct State: ~Copyable {
        /// The transforms u of four blocks, in a ring buffer that stores each block before its predecessor.
        fileprivate var blocks: FixedArray<Float>

        /// The index of the newest block in ``blocks``.
        fileprivate var latest = 0

        /// Creates a silent history.
        package init(frameLength: Int) { blocks = FixedArray(repeating: 0, count: 4 * frameLength) }

        /// Resets to silence.
        package mutating func reset() { blocks.fill(0) }

        /// Copies the history of another channel with the same frame length.
        package mutating func copy(_ other: borrowing State) {
            blocks.copy(other.blocks)
            latest = other.latest
        }
    }

    /// Computes the coefficients of one block of one channel.
    ///
    /// - Parameters:
    ///   - input: Consecutive samples for 15/4 blocks, scaled to ±32768. A decoder reconstructs the block that starts after 9/4 blocks.
    ///   - coefficients: Receives one block.
    package mutating func analyze(_ input: Span<Float>, into coefficients: inout MutableSpan<Float>) {
        precondition(input.count == 15 * inputLength / 4 && coefficients.count == frameLength)
        fold(input)
        guard inputLength > frameLength else { return transform.forward(folded.span, into: &coefficients, at: 0) }
        do {
            var target = wide.mutableSpan
            transform.forward(folded.span, into: &target, at: 0)
        }
        for line in stride(from: 0, to: frameLength, by: 4) { coefficients.store(wide.span.vector(at: line), at: line) }
    }

    /// Windows the input and folds it to a block.
    private mutating func fold(_ input: Span<Float>) {
        let window = window
        var target = folded.mutableSpan
        // Literal lengths, so that bounds checks fold.
        switch inputLength {
        case 512: Self.fold(input, window.span, into: &target, length: 512)
        case 480: Self.fold(input, window.span, into: &target, length: 480)
        default: Self.fold(input, window.span, into: &target, length: inputLength)
        }
    }

    /// Windows the input and folds it to `length` values.
    @inline(__always)
    private static func fold(_ input: Span<Float>, _ window: Span<Float>, into folded: inout MutableSpan<Float>, length: Int) {
        let (half, count) = (length / 2, 15 * length / 4)
        let (input, window) = (input.extracting(0..<count), window.extracting(0..<count))
        var folded = folded._mutatingExtracting(0..<length)
        /// Returns four windowed samples starting at n.
        @inline(__always)
        func values(_ n: Int) -> SIMD4<Float> { input.vector(at: n) * window.vector(at: count &- 4 &- n).reversed }
        /// Returns the sum of the parts that contribute to every value.
        @inline(__always)
        func inner(_ m: Int) -> SIMD4<Float> { values(half &+ m) - values(5 &* half &- 4 &- m).reversed - values(5 &* half &+ m) }
        var m = 0
        while m < half {
            folded.store(inner(m) + values(half &- 4 &- m).reversed, at: m)
            m &+= 4
        }
        while m < 3 &* half / 2 {
            folded.store(inner(m), at: m)
            m &+= 4
        }
        // For lower m the window is 0.
        while m < length {
            folded.store(inner(m) + values(9 &* half &- 4 &- m).reversed, at: m)
            m &+= 4
        }
    }

    /// Computes the samples, scaled to ±32768, that a block completes, and stores the others in `state`.
    ///
    /// - Parameters:
    ///   - coefficients: One block.
    ///   - state: The channel's history. The call adds this block.
    ///   - output: Receives one block.
    package mutating func synthesize(_ coefficients: Span<Float>, state: inout State, into output: inout MutableSpan<Float>) {
        precondition(coefficients.count == frameLength && output.count == frameLength && inputLength == frameLength)
        state.latest = state.latest == 0 ? 3 * frameLength : state.latest - frameLength
        do {
            var blocks = state.blocks.mutableSpan
            var latest = blocks._mutatingExtracting(state.latest..<state.latest + frameLength)
            transform.inverse(coefficients, into: &latest)
        }
        // Literal lengths, so that bounds checks fold.
        switch frameLength {
        case 512: Self.overlap(state.blocks.span, from: state.latest, window.span, into: &output, length: 512)
        case 480: Self.overlap(state.blocks.span, from: state.latest, window.span, into: &output, length: 480)
        default: Self.overlap(state.blocks.span, from: state.latest, window.span, into: &output, length: frameLength)
        }
    }

    /// Adds the windowed extended signals of four blocks, from oldest to newest.
    ///
    /// Output m is at n = m + N/4 in the newest block, and at n + N, n + 2N and n + 3N in previous blocks. The oldest block ends at 4N.
    @inline(__always)
    private static func overlap(
        _ blocks: Span<Float>, from latest: Int, _ window: Span<Float>, into output: inout MutableSpan<Float>, length: Int
    ) {
        let quarter = length / 4
        let (second, third, fourth) = (latest &+ length, latest &+ 2 &* length, latest &+ 3 &* length)
        let u0 = blocks.extracting(latest..<latest &+ length)
        let u1 = blocks.extracting(wrapped(second, length)..<wrapped(second, length) &+ length)
        let u2 = blocks.extracting(wrapped(third, length)..<wrapped(third, length) &+ length)
        let u3 = blocks.extracting(wrapped(fourth, length)..<wrapped(fourth, length) &+ length)
        let window = window.extracting(0..<15 &* quarter)
        var output = output._mutatingExtracting(0..<length)
        /// Returns four window values for the block `age` blocks before the newest.
        @inline(__always)
        func weights(_ m: Int, _ age: Int) -> SIMD4<Float> { window.vector(at: m &+ age &* length) }
        var m = 0
        while m < quarter {
            let older = u2.vector(at: quarter &- 4 &- m).reversed * weights(m, 2) + u3.vector(at: m &+ 3 &* quarter) * weights(m, 3)
            let later = older - u1.vector(at: m &+ 3 &* quarter) * weights(m, 1)
            output.store(later - u0.vector(at: quarter &- 4 &- m).reversed * weights(m, 0), at: m)
            m &+= 4
        }
        while m < 3 &* quarter {
            let older = u2.vector(at: m &- quarter) * weights(m, 2) - u3.vector(at: 5 &* quarter &- 4 &- m).reversed * weights(m, 3)
            let later = older + u1.vector(at: 5 &* quarter &- 4 &- m).reversed * weights(m, 1)
            output.store(later - u0.vector(at: m &- quarter) * weights(m, 0), at: m)
            m &+= 4
        }
        while m < length {
            let later = u2.vector(at: m &- quarter) * weights(m, 2) + u1.vector(at: 5 &* quarter &- 4 &- m).reversed * weights(m, 1)
            output.store(later - u0.vector(at: m &- quarter) * weights(m, 0), at: m)
            m &+= 4
        }
    }

    /// Wraps an index in the ring buffer of four blocks.
    @inline(__always)
    private static func wrapped(_ index: Int, _ length: Int) -> Int { index < 4 &* length ? index : index &- 4 &* length }
}
