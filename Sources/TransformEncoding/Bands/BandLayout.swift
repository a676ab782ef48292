// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio
public import TransformCoding

/// The lines of each band of a frame, in bitstream order: group by group, band by band.
///
/// With short windows, a band contains the lines of all windows of its group, so later stages see one list of bands. The list is dense:
/// scale factor band `sfb` of a group is band `group * bandsPerGroup + sfb`.
@usableFromInline package struct BandLayout: ~Copyable {
    /// The maximum number of bands of a frame: eight groups of fifteen.
    ///
    /// Long windows have up to 51.
    @inlinable package static var maximumCount: Int { 120 }

    package private(set) var sequence = WindowSequence.onlyLong

    /// The number of window groups; 1 for long windows.
    package private(set) var groupCount = 1

    /// The number of windows per group.
    package private(set) var groupLengths = SIMD8<UInt8>(repeating: 1)

    /// The number of bands below the bandwidth, per group.
    package private(set) var bandsPerGroup = 0

    /// The first line and the end line of each band.
    @usableFromInline package private(set) var boundaries = FixedArray<SIMD2<Int32>>(repeating: SIMD2(0, 0), count: maximumCount)

    /// The number of bands in all groups.
    package private(set) var count = 0

    /// Returns the lines of a band.
    ///
    /// Their count is a positive multiple of four.
    @inlinable
    package func lines(_ band: Int) -> Range<Int> {
        let boundary = boundaries[band]
        return Int(boundary.x)..<Int(boundary.y)
    }

    /// Returns the line count of a band, over all windows of its group.
    @inlinable
    package func width(_ band: Int) -> Int {
        let boundary = boundaries[band]
        return Int(boundary.y &- boundary.x)
    }

    /// The line count of each band as floating point, 0 after the last band.
    package private(set) var lineCounts = FixedArray<Float>(repeating: 0, count: maximumCount)

    package init() {}

    /// Lays out a frame with one long window that uses the first `bandCount` bands.
    package mutating func setLong(_ sequence: WindowSequence, bands: ScaleFactorBands, bandCount: Int) {
        self.sequence = sequence
        groupCount = 1
        groupLengths[0] = 1
        bandsPerGroup = bandCount
        count = groupCount &* bandCount
        let offsets = bands.longOffsets.span
        for sfb in 0..<bandCount { boundaries[sfb] = SIMD2(Int32(offsets[sfb]), Int32(offsets[sfb + 1])) }
        countLines()
    }

    /// Lays out a frame with eight short windows that use the first `bandCount` bands.
    ///
    /// - Parameter lengths: The number of windows in each of the first `groupCount` groups; the sum is eight.
    package mutating func setShort(lengths: SIMD8<UInt8>, groupCount: Int, bands: ScaleFactorBands, bandCount: Int) {
        sequence = .eightShort
        self.groupCount = groupCount
        groupLengths = lengths
        bandsPerGroup = bandCount
        count = groupCount &* bandCount
        let offsets = bands.shortOffsets.span
        var groupStart = 0
        for group in 0..<groupCount {
            let windows = Int(lengths[group])
            for sfb in 0..<bandCount {
                boundaries[group * bandCount + sfb] = SIMD2(
                    Int32(groupStart + Int(offsets[sfb]) * windows), Int32(groupStart + Int(offsets[sfb + 1]) * windows))
            }
            groupStart += bands.shortLength * windows
        }
        countLines()
    }

    private mutating func countLines() {
        let count = count
        let boundaries = boundaries.span(first: Self.maximumCount)
        var lineCounts = lineCounts.mutableSpan(first: Self.maximumCount)
        for band in 0..<count { lineCounts[band] = Float(boundaries[band].y &- boundaries[band].x) }
        for band in count..<Self.maximumCount { lineCounts[band] = 0 }
    }

    /// Reorders the lines of eight short windows from window order to bitstream order.
    package func interleave(_ windowOrder: Span<Float>, into sentOrder: inout MutableSpan<Float>, bands: ScaleFactorBands) {
        let boundaries = bands.shortOffsets.span
        var target = 0
        var firstWindow = 0
        for group in 0..<groupCount {
            let windows = Int(groupLengths[group])
            for sfb in 0..<bands.shortCount {
                let range = Int(boundaries[sfb])..<Int(boundaries[sfb + 1])
                for window in firstWindow..<firstWindow + windows {
                    for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
                        sentOrder.store(windowOrder.vector(at: window * bands.shortLength + line), at: target)
                        target += 4
                    }
                }
            }
            firstWindow += windows
        }
    }
}
