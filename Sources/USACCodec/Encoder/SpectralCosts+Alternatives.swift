// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

extension SpectralCosts {
    /// The magnitudes of the last three pairs in eight alternatives.
    package struct RecentPairs {
        fileprivate var (c1, c2, c3) = (SIMD8<Int16>(repeating: 0), SIMD8<Int16>(repeating: 0), SIMD8<Int16>(repeating: 0))

        /// Creates the magnitudes before the first pair.
        package init() {}

        @inline(__always)
        fileprivate mutating func add(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) {
            (c3, c2, c1) = (c2, c1, (a &+ b &+ SIMD8(repeating: 1)).minimum(SIMD8(repeating: 15)))
        }

        /// All ones where the pairs are quiet.
        @inline(__always) fileprivate var isQuiet: SIMD8<Int16> { (c1 &+ c2 &+ c3 &- SIMD8(repeating: 5)) &>> 15 }
    }

    /// Returns the lengths of some pairs of a window with eight alternative values.
    ///
    /// - Parameters:
    ///   - lines: The magnitudes of the lines. Those of the first alternative are the largest.
    ///   - recent: The pairs before the first one; afterwards the last pairs.
    ///   - first: The position of the first pair in the window.
    ///   - magnitudes: The context before the window.
    package func costs(
        ofAlternatives lines: Span<SIMD8<Int16>>, after recent: inout RecentPairs, first: Int, _ magnitudes: Span<UInt8>
    ) -> SIMD8<Int32> {
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        // With literal counts, checks of masked indices fold.
        let rows = models.rows.extracting(0..<4096)
        let rowModels = models.rowModels.extracting(0..<1 << 13)
        let smallPairs = smallPairCosts().extracting(0..<64 * 16)
        let pairCount = lines.count / 2
        let lines = lines.extracting(0..<2 * pairCount)
        let following = magnitudes.extracting(first + 1..<first + 1 + pairCount)
        var around = UInt32(magnitudes[first]) << 4 | (first > 0 ? UInt32(magnitudes[first - 1]) : 0)
        // The sums of two alternatives each.
        var (sum0, sum2, sum4, sum6) = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)
        for index in 0..<pairCount {
            around |= UInt32(following[index]) << 8
            let (a, b) = (lines[2 &* index], lines[2 &* index &+ 1])
            let pairRows = rows[Int(truncatingIfNeeded: around & 0xFFF)]
            let loud = SIMD8(repeating: Int16(truncatingIfNeeded: pairRows))
            let quiet = SIMD8(repeating: Int16(truncatingIfNeeded: first &+ index > 3 ? pairRows >> 16 : pairRows))
            let states = Self.words(loud ^ ((loud ^ quiet) & recent.isQuiet) | recent.c1)
            let symbols = Self.words(a | b &<< 2)

            /// Returns the cost of a pair with magnitudes up to 3.
            @inline(__always)
            func smallCost(_ lane: Int) -> UInt64 {
                let shift = UInt64(truncatingIfNeeded: lane & 3 &* 16)
                let state = Int(truncatingIfNeeded: states[lane >> 2] &>> shift & 0x1FFF)
                let symbol = Int(truncatingIfNeeded: symbols[lane >> 2] &>> shift & 0xF)
                return UInt64(smallPairs[(Int(rowModels[state]) &<< 4 | symbol) & 0x3FF])
            }

            if (a[0] | b[0]) < 4 {
                sum0 &+= smallCost(0) | smallCost(1) << 32
                sum2 &+= smallCost(2) | smallCost(3) << 32
                sum4 &+= smallCost(4) | smallCost(5) << 32
                sum6 &+= smallCost(6) | smallCost(7) << 32
            } else {
                let isQuiet = first &+ index > 3 ? recent.isQuiet : SIMD8(repeating: 0)
                let c1 = recent.c1

                @inline(__always)
                func cost(_ lane: Int) -> UInt64 {
                    guard (a[lane] | b[lane]) > 3 else { return smallCost(lane) }
                    let (a, b) = (UInt32(truncatingIfNeeded: a[lane]), UInt32(truncatingIfNeeded: b[lane]))
                    let state = around << 4 | UInt32(truncatingIfNeeded: c1[lane]) | UInt32(truncatingIfNeeded: isQuiet[lane]) & 0x10000
                    return UInt64(truncatingIfNeeded: pairCost(a, b, models, state))
                }

                sum0 &+= cost(0) | cost(1) << 32
                sum2 &+= cost(2) | cost(3) << 32
                sum4 &+= cost(4) | cost(5) << 32
                sum6 &+= cost(6) | cost(7) << 32
            }
            around >>= 4
            recent.add(a, b)
        }
        return unsafe unsafeBitCast(SIMD4(sum0, sum2, sum4, sum6), to: SIMD8<Int32>.self)
    }

    @inline(__always)
    private static func words(_ lanes: SIMD8<Int16>) -> SIMD2<UInt64> { unsafe unsafeBitCast(lanes, to: SIMD2<UInt64>.self) }
}
