// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The division of a channel's lines into windows, groups and scale factor bands.
package struct FrameDivision {
    /// Windows, groups, and the number of sent bands.
    var info: ICSInfo
    var bands: ScaleFactorBands

    package init(info: ICSInfo, bands: ScaleFactorBands) {
        self.info = info
        self.bands = bands
    }
}
