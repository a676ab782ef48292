// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The map from states of the context to models of the arithmetic coder (ISO/IEC 23003-3, 7.4).
///
/// Most of the 2^20 states are in long runs with one model. The models of all states, in pages of 256 without the equal ones, take 100 KB.
struct ArithmeticModels: Sendable {
    /// The page of each 256 states.
    private let pages: ContiguousArray<UInt16>
    /// The model of each state, page after page.
    private let models: ContiguousArray<UInt8>

    /// The map, computed once.
    static let shared = ArithmeticModels()

    /// The states of a page.
    private static let pageLength = 256

    /// Computes the map.
    private init() {
        let states = ArithmeticCoderTables.hashStates
        var models = ContiguousArray<UInt8>()
        var uniformPages = ContiguousArray<UInt16?>(repeating: nil, count: 64)
        var index = 0
        pages = ContiguousArray(
            (0..<4096).map { page in
                let first = UInt32(page * Self.pageLength)
                let uniformModel = ArithmeticCoderTables.rangeModels[index]
                let isUniform = states[index] >= first + UInt32(Self.pageLength)
                if isUniform, let known = uniformPages[Int(uniformModel)] { return known }
                let number = UInt16(models.count / Self.pageLength)
                if isUniform { uniformPages[Int(uniformModel)] = number }
                let end = first + UInt32(Self.pageLength)
                var state = first
                while state < end {
                    // A state in the table has a model of its own; those below it share one.
                    let run = min(states[index], end) - state
                    models.append(contentsOf: repeatElement(ArithmeticCoderTables.rangeModels[index], count: Int(run)))
                    state += run
                    if state < end {
                        models.append(ArithmeticCoderTables.hashModels[index])
                        index += 1
                        state += 1
                    }
                }
                return number
            })
        self.models = models
    }

    /// The map as spans, for a loop.
    struct Spans: ~Escapable {
        /// The page of each 256 states.
        let pages: Span<UInt16>
        /// The model of each state, page after page.
        let models: Span<UInt8>

        /// Borrows a map.
        @inline(__always)
        @_lifetime(borrow models)
        init(_ models: borrowing ArithmeticModels) {
            pages = models.pages.span
            self.models = models.models.span
        }

        /// Returns the model of a state of at most 20 bits, 0 to 63.
        @inline(__always)
        func model(of state: UInt32) -> Int {
            let page = pages[Int(truncatingIfNeeded: state >> 8)]
            return Int(models[Int(page) << 8 | Int(truncatingIfNeeded: state & 0xFF)])
        }
    }
}
