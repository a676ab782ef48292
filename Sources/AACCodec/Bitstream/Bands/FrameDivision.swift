// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The division of the lines of a channel into windows and groups, and into scale factor bands.
package struct FrameDivision {
    /// Windows, groups, and the number of bands that are sent.
    var info: ICSInfo
    /// The bands of the sample rate.
    var bands: ScaleFactorBands

    /// Creates a value from its parts.
    package init(info: ICSInfo, bands: ScaleFactorBands) {
        self.info = info
        self.bands = bands
    }
}
