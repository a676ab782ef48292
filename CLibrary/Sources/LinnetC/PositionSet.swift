// SPDX-License-Identifier: Apache-2.0

#if LINNET_FILES
/// Positions of damage, each counted once even if it is read again after seeking.
struct PositionSet {
    private var positions: [Int] = []

    var count: Int { positions.count }

    /// Inserts a position, and returns false if it is a member already.
    @discardableResult
    mutating func insert(_ position: Int) -> Bool {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = low + (high - low) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        if low < positions.count, positions[low] == position { return false }
        positions.insert(position, at: low)
        return true
    }
}
#endif
