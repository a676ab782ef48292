// SPDX-License-Identifier: Apache-2.0

/// The groups of parameter bands with a common value (`createMapping`, ISO/IEC 23003-1).
package struct BandGroups {
    package let count: Int
    /// The first band of each group, and the end of the last group.
    private var boundaries = SIMD32<UInt8>(repeating: 0)

    /// Divides bands into groups of 1, 2, 5 or 28.
    ///
    /// The first groups are smaller if the division leaves a remainder.
    package init(bandCount: Int, strideCode: Int) {
        let width = [1, 2, 5, 28][strideCode & 3]
        count = (bandCount + width - 1) / width
        var surplus = count * width - bandCount
        // The first groups lose one band each. If bands are still in excess, the last group loses them.
        var taken = SIMD32<UInt8>(repeating: 0)
        var group = 0
        while surplus > 0 && count > 0 {
            taken[group] += 1
            group = min(group + 1, count - 1)
            surplus -= 1
        }
        var boundary = 0
        for index in 0..<count {
            boundary += width - Int(taken[index])
            boundaries[index + 1] = UInt8(boundary)
        }
    }

    /// The first band of a group, or the end of the last group.
    package subscript(group: Int) -> Int { Int(boundaries[group]) }
}
