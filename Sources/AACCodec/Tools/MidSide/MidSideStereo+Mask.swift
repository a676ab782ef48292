// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

extension MidSideStereo {
    /// Returns the mask for the channel pair element.
    package func mask(layout: borrowing BandLayout) -> MidSideMask {
        var flags = BandFlags()
        var usedCount = 0
        for group in 0..<layout.groupCount {
            for sfb in 0..<layout.bandsPerGroup where usesMidSide[group * layout.bandsPerGroup + sfb] {
                flags[group * ICSInfo.bandStride + sfb] = true
                usedCount += 1
            }
        }
        return MidSideMask(flags, usedCount: usedCount, bandCount: layout.count)
    }
}
