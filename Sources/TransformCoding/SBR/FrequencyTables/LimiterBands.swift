// SPDX-License-Identifier: Apache-2.0

/// The limiter bands, `f_TableLim` (ISO/IEC 14496-3:2009, 4.6.18.3.2.3).
enum LimiterBands {
    /// Returns the boundaries, from `kx` to `kx` + `M`.
    ///
    /// - Parameter bandsPerOctave: `bs_limiter_bands`, 0 to 3: one band, or 1.2, 2 or 3 bands per octave.
    package static func boundaries(low: BandBoundaries, patches: PatchTable, bandsPerOctave: Int) -> BandBoundaries {
        var list = BandBoundaries()
        guard bandsPerOctave > 0 else {
            _ = list.append(low.first)
            _ = list.append(low.last)
            return list
        }
        for index in 0...low.count { _ = list.append(low[index]) }
        // At most 25 low boundaries and 5 inner patch boundaries fit.
        if patches.count > 1 {
            for patch in 1..<patches.count { _ = list.append(patches.target(of: patch)) }
        }
        list.sort()

        // Two bands merge if log2(upper / lower) · density < 0.49. Patch boundaries have priority.
        let density = [0, 1.2, 2, 3][bandsPerOctave & 3]
        let ratio = PortableMath.powerOfTwo(0.49 / density)
        var index = 1
        while index <= list.count {
            let isWide = Double(list[index]) >= Double(list[index - 1]) * ratio
            if isWide {
                index += 1
            } else if list[index] == list[index - 1] || !patches.hasBoundary(at: list[index]) {
                list.remove(at: index)
            } else if !patches.hasBoundary(at: list[index - 1]) {
                list.remove(at: index - 1)
            } else {
                index += 1
            }
        }
        return list
    }
}
