// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The borders of adjacent frequency bands, in QMF subbands; rising, at most 49 bands.
struct BandBorders: Sendable {
    private var borders: [50 of UInt8] = .init(repeating: 0)

    /// The number of bands, one less than that of borders.
    private(set) var count = -1

    /// Makes an empty list.
    init() {}

    /// The border at an index from 0 to ``count``.
    @inline(__always)
    subscript(index: Int) -> Int { Int(borders[index]) }

    /// The first border.
    var first: Int { Int(borders[0]) }

    /// The last border.
    var last: Int { Int(borders[max(count, 0)]) }

    /// Appends a border from 0 to 255; false when there is no room.
    ///
    /// Not inlined: Swift 6.3.1 moves the last store of `count` behind the copy that a failable caller returns.
    @inline(never)
    mutating func append(_ border: Int) -> Bool {
        guard count < 49 else { return false }
        count += 1
        borders[count] = UInt8(truncatingIfNeeded: border)
        return true
    }

    /// Removes the border at an index.
    mutating func remove(at index: Int) {
        var next = index
        while next < count {
            borders[next] = borders[next + 1]
            next += 1
        }
        count -= 1
    }

    /// Puts the borders in ascending order.
    mutating func sort() {
        var end = 1
        while end <= count {
            var index = end
            while index > 0 && borders[index - 1] > borders[index] {
                borders.swapAt(index, index - 1)
                index -= 1
            }
            end += 1
        }
    }

    /// Whether a border lies at `subband`.
    func contains(_ subband: Int) -> Bool {
        var index = 0
        while index <= count {
            if Int(borders[index]) == subband { return true }
            index += 1
        }
        return false
    }

    /// Whether each border is above the one before.
    var isRising: Bool {
        var index = 1
        while index <= count {
            if borders[index] <= borders[index - 1] { return false }
            index += 1
        }
        return true
    }
}
