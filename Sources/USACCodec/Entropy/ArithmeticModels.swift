// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The map from states of the context to models of the arithmetic coder (ISO/IEC 23003-3, 7.4).
struct ArithmeticModels: Sendable {
    /// For each 256 states the number of entries of ``ArithmeticCoderTables/hashStates`` below them.
    private let firstEntries: ContiguousArray<UInt16>
    /// A state with a model of its own in the upper bits, that model in bits 8 to 15, and the model of the states below in bits 0 to 7.
    private let entries: ContiguousArray<UInt64>

    /// The map, computed once.
    static let shared = ArithmeticModels()

    /// Computes the map.
    private init() {
        let states = ArithmeticCoderTables.hashStates
        var first = ContiguousArray<UInt16>(repeating: 0, count: 4096)
        var index = 0
        for bucket in first.indices {
            while Int(states[index]) < bucket << 8 { index += 1 }
            first[bucket] = UInt16(index)
        }
        firstEntries = first
        entries = ContiguousArray(
            states.indices.map { index in
                UInt64(states[index]) << 16 | UInt64(ArithmeticCoderTables.hashModels[index]) << 8
                    | UInt64(ArithmeticCoderTables.rangeModels[index])
            })
    }

    /// The map as spans, for a loop.
    struct Spans: ~Escapable {
        /// The first entry of each 256 states.
        let firstEntries: Span<UInt16>
        /// The entries.
        let entries: Span<UInt64>

        /// Borrows a map.
        @inline(__always)
        @_lifetime(borrow models)
        init(_ models: borrowing ArithmeticModels) {
            firstEntries = models.firstEntries.span
            entries = models.entries.span
        }

        /// Returns the model of a state of at most 20 bits, 0 to 63.
        @inline(__always)
        func model(of state: UInt32) -> Int {
            var index = Int(firstEntries[Int(state >> 8)])
            var entry = entries[index]
            while entry >> 16 < UInt64(state) {
                index &+= 1
                entry = entries[index]
            }
            return Int(truncatingIfNeeded: (entry >> 16 == UInt64(state) ? entry >> 8 : entry) & 0xFF)
        }
    }
}
