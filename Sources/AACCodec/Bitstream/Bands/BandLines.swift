// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Iteration over the bands of a frame and their lines in each window.
package enum BandLines {
    /// Calls `body` for each sent band, window by window, with the band's index, `group * ICSInfo.bandStride + sfb`, and its lines in
    /// window order.
    @inline(__always)
    package static func forEach(_ info: ICSInfo, _ bands: ScaleFactorBands, _ body: (_ band: Int, _ lines: Range<Int>) -> Void) {
        guard info.isShort else {
            let offsets = bands.longOffsets.span
            for band in 0..<info.maxSFB {
                body(band, Int(offsets[band])..<Int(offsets[band &+ 1]))
            }
            return
        }
        let offsets = bands.shortOffsets.span
        var window = 0
        for group in 0..<info.groupCount {
            for _ in 0..<Int(info.groupLengths[group]) {
                let start = window &* bands.shortLength
                for sfb in 0..<info.maxSFB {
                    let lines = start &+ Int(offsets[sfb])..<start &+ Int(offsets[sfb &+ 1])
                    body(group &* ICSInfo.bandStride &+ sfb, lines)
                }
                window &+= 1
            }
        }
    }
}
