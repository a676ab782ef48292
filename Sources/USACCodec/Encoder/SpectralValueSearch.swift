// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Finds the values of a window with the lowest cost of their codes and errors, for ``SpectralArithmeticEncoder``.
///
/// Each value is the nearest one or the next smaller magnitude. A value selects the models of the next three pairs, so the search keeps the
/// cheapest paths to several contexts. It also compares all ends of the code. The contexts of later windows have no cost.
package struct SpectralValueSearch: ~Copyable {
    /// The cost of lowering a value that keeps its magnitude.
    package static let never: Int16 = 15_000

    /// The costs to lower values per bit.
    package static let unitsPerBit = 16

    /// The context after the last three pairs on a path, and its cost.
    private struct Path: BitwiseCopyable {
        /// Paths with the same key have the same costs from now on.
        ///
        /// Bits 0 to 3 have the magnitude of the last pair, bits 4 and 5 the second one up to 3, and bit 6 is set if the three pairs are quiet.
        var key: UInt32 = 64
        /// The magnitude of the pair before the last.
        var second: UInt32 = 0
        /// In the unit of ``SpectralCosts``.
        var cost: Int32 = 0

        /// The magnitude of the last pair.
        @inline(__always) var first: UInt32 { key & 15 }

        @inline(__always) var isQuiet: Bool { key & 64 != 0 }

        /// The part of the context that the path determines.
        @inline(__always)
        func state(_ pair: Int) -> UInt32 { first | (pair > 3 && isQuiet ? 0x10000 : 0) }

        @inline(__always)
        func extended(_ magnitude: UInt32, _ pairCost: Int32) -> Path {
            let isQuiet = magnitude &+ first &+ second < 5
            return Path(key: magnitude | min(first, 3) << 4 | (isQuiet ? 64 : 0), second: first, cost: cost &+ pairCost)
        }
    }

    /// The context of a pair that all paths share.
    private struct Position {
        var pair: Int
        /// The magnitudes of the previous window, as part of a state.
        var state: UInt32
        /// The rows of models for loud and quiet pairs.
        var rows: UInt32

        /// Returns the start of a path's costs of small pairs.
        @inline(__always)
        func start(_ path: Path, _ models: borrowing ArithmeticModels.Spans) -> Int {
            models.model(row: pair > 3 && path.isQuiet ? rows >> 16 : rows & 0xFFFF, magnitude: path.first) &<< 4
        }
    }

    /// A place where the code can end.
    private struct End {
        var cost = Int32.max
        var pair = 0
        var path = 0
    }

    private let width: Int
    private var paths: FixedArray<Path>
    private var nextPaths: FixedArray<Path>
    private var pathCount = 1
    private var nextCount = 0
    /// For each pair and path: the lowered values in two bits, and the path before the pair above.
    private var steps: FixedArray<UInt8>
    private var end = End()
    /// The last state of a single path whose end was compared.
    private var lastState = UInt32.max

    /// Creates a search.
    ///
    /// - Parameter width: The largest number of paths, up to 64.
    package init(frameLength: Int, width: Int) {
        self.width = width
        paths = FixedArray(repeating: Path(), count: width)
        nextPaths = FixedArray(repeating: Path(), count: width)
        steps = FixedArray(repeating: 0, count: frameLength / 2 * width)
    }

    /// Lowers values of a window.
    ///
    /// - Parameters:
    ///   - lines: The nearest values of the window, with magnitudes up to 8191.
    ///   - loweringCosts: The cost of lowering each magnitude by 1, in units of 1/16 bit, or ``never``.
    ///   - lineCount: The number of lines that may be coded, even. All lines after them must be 0.
    ///   - context: The context, sized for the window.
    package mutating func search(
        _ lines: inout MutableSpan<Int16>, loweringCosts: Span<Int16>, lineCount: Int, advances: Bool = true,
        context: inout SpectralContext
    ) {
        let totalPairCount = context.pairCount
        let limit = lineCount / 2
        precondition(lines.count == 2 * totalPairCount && loweringCosts.count == lines.count && limit <= totalPairCount)
        let last = run(lines.span, loweringCosts, limit: limit, context.values.span(first: totalPairCount + 1))
        trace(&lines, from: last)
        if advances { context.advance(lines.span, pairCount: last.pair) }
    }

    /// Extends all paths to the end of the window, and returns the cheapest end.
    private mutating func run(_ lines: Span<Int16>, _ loweringCosts: Span<Int16>, limit: Int, _ magnitudes: Span<UInt8>) -> End {
        let costs = SpectralCosts.shared
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        let smallPairs = costs.smallPairCosts()
        var (firstEnd, loweringCost) = Self.firstEnd(lines, loweringCosts, limit: limit)
        (pathCount, end, lastState, paths[0]) = (1, End(), .max, Path())
        var around = UInt32(magnitudes[0]) << 4
        for pair in 0..<limit {
            around |= UInt32(magnitudes[pair + 1]) << 8
            let position = Position(pair: pair, state: around << 4, rows: models.rows[Int(around & 0xFFF)])
            around >>= 4
            if pair >= firstEnd {
                tryEnd(position, loweringCost, costs, models)
                loweringCost -= Self.zeroingCost(lines, loweringCosts, pair) ?? 0
            }
            let (a, b) = (UInt32(lines[2 * pair].magnitude), UInt32(lines[2 * pair + 1].magnitude))
            if a | b == 0 {
                extendSilently(position, smallPairs, models)
            } else {
                extend(position, (a, b), (loweringCosts[2 * pair], loweringCosts[2 * pair + 1]), smallPairs, costs, models)
            }
        }
        for path in 0..<pathCount where paths[path].cost <= end.cost { end = End(cost: paths[path].cost, pair: limit, path: path) }
        return end
    }

    /// Returns the first pair from which on all values can become 0, and the cost of that.
    private static func firstEnd(_ lines: Span<Int16>, _ loweringCosts: Span<Int16>, limit: Int) -> (pair: Int, cost: Int32) {
        var (pair, cost): (Int, Int32) = (limit, 0)
        while pair > 0, let more = zeroingCost(lines, loweringCosts, pair - 1) { (pair, cost) = (pair - 1, cost + more) }
        return (pair, cost)
    }

    /// Returns the cost of lowering both values of a pair to 0; `nil` if that is not possible.
    @inline(__always)
    private static func zeroingCost(_ lines: Span<Int16>, _ loweringCosts: Span<Int16>, _ pair: Int) -> Int32? {
        var cost: Int32 = 0
        for line in 2 * pair..<2 * pair + 2 where lines[line] != 0 {
            guard lines[line].magnitude == 1, loweringCosts[line] < never else { return nil }
            cost += scaled(loweringCosts[line])
        }
        return cost
    }

    /// Returns a cost of lowering in the unit of ``SpectralCosts``.
    @inline(__always)
    private static func scaled(_ cost: Int16) -> Int32 { Int32(cost) * Int32(SpectralCosts.unitsPerBit / unitsPerBit) }

    /// Compares the end of the code before a pair.
    ///
    /// - Parameter loweringCost: The cost of lowering all values from the pair on to 0.
    private mutating func tryEnd(
        _ position: Position, _ loweringCost: Int32, _ costs: borrowing SpectralCosts, _ models: borrowing ArithmeticModels.Spans
    ) {
        if pathCount == 1 && loweringCost == 0 {
            let state = position.state | paths[0].state(position.pair)
            // After more silence in the same state, the end costs more.
            guard state != lastState else { return }
            lastState = state
        }
        for index in 0..<pathCount {
            let path = paths[index]
            let cost = path.cost &+ loweringCost &+ Int32(costs.stop(models, position.state | path.state(position.pair)))
            if cost < end.cost { end = End(cost: cost, pair: position.pair, path: index) }
        }
    }

    /// Extends all paths by a pair of zeros.
    @inline(__always)
    private mutating func extendSilently(
        _ position: Position, _ smallPairs: Span<UInt16>, _ models: borrowing ArithmeticModels.Spans
    ) {
        let pair = position.pair
        guard pathCount > 1 else {
            let path = paths[0]
            paths[0] = path.extended(1, Int32(smallPairs[position.start(path, models) & 0x3FF]))
            steps[pair &* width] = 0
            return
        }
        nextCount = 0
        for index in 0..<pathCount {
            let path = paths[index]
            add(path.extended(1, Int32(smallPairs[position.start(path, models) & 0x3FF])), index << 2, pair)
        }
        swap(&paths, &nextPaths)
        pathCount = nextCount
    }

    /// Extends all paths by all choices for a pair.
    private mutating func extend(
        _ position: Position, _ values: (UInt32, UInt32), _ loweringCosts: (Int16, Int16), _ smallPairs: Span<UInt16>,
        _ costs: borrowing SpectralCosts, _ models: borrowing ArithmeticModels.Spans
    ) {
        let (pair, isSmall) = (position.pair, max(values.0, values.1) < 4)
        // The choices are the subsets of these bits: 1 lowers the first value, 2 the second.
        let lowerable = (loweringCosts.0 < Self.never ? 1 : 0) | (loweringCosts.1 < Self.never ? 2 : 0)
        nextCount = 0
        for index in 0..<pathCount {
            let path = paths[index]
            let start = position.start(path, models)
            var choice = 0
            repeat {
                let (first, second) = (choice & 1, choice >> 1)
                let (a, b) = (values.0 &- UInt32(first), values.1 &- UInt32(second))
                var cost =
                    isSmall
                    ? Int32(smallPairs[(start | Int(a | b << 2)) & 0x3FF])
                    : Int32(truncatingIfNeeded: costs.pairCost(a, b, models, position.state | path.state(pair)))
                if first != 0 { cost &+= Self.scaled(loweringCosts.0) }
                if second != 0 { cost &+= Self.scaled(loweringCosts.1) }
                add(path.extended(min(a &+ b &+ 1, 15), cost), index << 2 | choice, pair)
                choice = (choice &- lowerable) & lowerable
            } while choice != 0
        }
        swap(&paths, &nextPaths)
        pathCount = nextCount
    }

    /// Keeps a path if it is one of the cheapest, and cheaper than any with the same key.
    @inline(__always)
    private mutating func add(_ path: Path, _ step: Int, _ pair: Int) {
        var (target, highest) = (nextCount, Int32.min)
        var dearest = 0
        for index in 0..<nextCount {
            let other = nextPaths[index]
            if other.key == path.key {
                guard path.cost < other.cost else { return }
                (target, dearest) = (index, index)
                break
            }
            if other.cost > highest { (highest, dearest) = (other.cost, index) }
        }
        if target == width {
            guard path.cost < highest else { return }
            target = dearest
        }
        nextPaths[target] = path
        steps[pair &* width &+ target] = UInt8(truncatingIfNeeded: step)
        if target == nextCount { nextCount &+= 1 }
    }

    /// Lowers the values on the path to an end.
    private func trace(_ lines: inout MutableSpan<Int16>, from end: End) {
        var path = end.path
        for pair in (0..<end.pair).reversed() {
            let step = steps[pair * width + path]
            if step & 1 != 0 { lines[2 * pair] -= lines[2 * pair].signum() }
            if step & 2 != 0 { lines[2 * pair + 1] -= lines[2 * pair + 1].signum() }
            path = Int(step >> 2)
        }
        for line in 2 * end.pair..<lines.count { lines[line] = 0 }
    }
}
