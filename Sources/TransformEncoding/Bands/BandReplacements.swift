// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Bands of a channel that are sent without lines.
///
/// AAC replaces them with noise or with a scaled copy of the left channel.
package struct BandReplacements: ~Copyable {
    /// The codebook of each band; 0 if lines are sent.
    package private(set) var codebooks = FixedArray<UInt8>(repeating: 0, count: BandLayout.maximumCount)

    /// The value sent instead of the scale factor of each replaced band.
    package private(set) var values = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    package init() {}

    /// Sends a band without lines.
    ///
    /// - Parameters:
    ///   - codebook: The codebook that signals the replacement, not 0.
    ///   - value: The value sent instead of the scale factor.
    package mutating func replace(_ band: Int, codebook: UInt8, value: Int16) {
        codebooks[band] = codebook
        values[band] = value
    }

    /// Whether a band is sent without lines.
    @inline(__always)
    package func contains(_ band: Int) -> Bool { codebooks[band] != 0 }

    /// Sends a band with lines.
    package mutating func keepLines(_ band: Int) { codebooks[band] = 0 }

    /// Sends all bands with lines.
    package mutating func clear() { codebooks.fill(0) }
}
