// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The division of the lines of a channel into windows and groups, and into scale factor bands.
struct FrameDivision {
    /// Windows, groups, and the number of bands that are sent.
    var info: ICSInfo
    /// The bands of the sample rate.
    var bands: ScaleFactorBands
}
