// SPDX-License-Identifier: Apache-2.0

/// The boundaries of at most 49 adjacent frequency bands, as QMF subband indices in ascending order.
@usableFromInline package struct BandBoundaries: Equatable, Sendable {
    /// The boundaries, valid up to index ``count``.
    @usableFromInline var boundaries = SIMD64<UInt8>(repeating: 0)

    package private(set) var count = -1

    package init() {}

    /// The boundary at an index from 0 to ``count``.
    @inlinable
    package subscript(index: Int) -> Int { Int(boundaries[index]) }

    package var first: Int { Int(boundaries[0]) }

    package var last: Int { Int(boundaries[max(count, 0)]) }

    /// Appends a boundary from 0 to 255.
    ///
    /// Not inlined, because Swift 6.3.1 moves the last store of `count` after the copy that a failable caller returns.
    ///
    /// - Returns: Whether it fits.
    @inline(never)
    package mutating func append(_ boundary: Int) -> Bool {
        guard count < 49 else { return false }
        count += 1
        boundaries[count] = UInt8(truncatingIfNeeded: boundary)
        return true
    }

    package mutating func remove(at index: Int) {
        var next = index
        while next < count {
            boundaries[next] = boundaries[next + 1]
            next += 1
        }
        count -= 1
    }

    package mutating func sort() {
        var end = 1
        while end <= count {
            var index = end
            while index > 0 && boundaries[index - 1] > boundaries[index] {
                (boundaries[index - 1], boundaries[index]) = (boundaries[index], boundaries[index - 1])
                index -= 1
            }
            end += 1
        }
    }

    /// Returns whether `subband` is a boundary.
    package func contains(_ subband: Int) -> Bool {
        var index = 0
        while index <= count {
            if Int(boundaries[index]) == subband { return true }
            index += 1
        }
        return false
    }

    /// Whether the boundaries are strictly ascending.
    package var isRising: Bool {
        var index = 1
        while index <= count {
            if boundaries[index] <= boundaries[index - 1] { return false }
            index += 1
        }
        return true
    }
}
