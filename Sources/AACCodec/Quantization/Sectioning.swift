// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
package import TransformEncoding

/// Divides the bands of a frame into sections with one codebook each, with the fewest bits (`section_data`, ISO/IEC 14496-3:2009, 4.6.3).
///
/// Dynamic programming over bands and codebooks. Noise and intensity bands keep their codebooks and only cost their headers. A zero band
/// joins a section with a spectral codebook if that costs less than a separate section.
package struct Sectioning: ~Copyable {
    private var codebookCosts = FixedArray<CodebookCosts>(repeating: CodebookCosts(repeating: 0), count: BandLayout.maximumCount)

    private static let costCount = BandLayout.maximumCount * CodebookCosts.count

    /// The minimum cumulative cost up to each band, by its codebook.
    ///
    /// Bands with a fixed codebook are stored as codebook 0.
    private var costs = FixedArray<Float>(repeating: 0, count: costCount)

    /// The minimum of ``costs`` over the codebooks of each band.
    private var lowest = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    package init() {}

    /// Returns the bits of a section header: four for the codebook, and three or five for the length.
    static func headerBits(of sequence: WindowSequence) -> Float { sequence == .eightShort ? 7 : 9 }

    @inline(__always)
    package mutating func setCosts(_ band: Int, _ costs: CodebookCosts) { codebookCosts[band] = costs }

    /// Chooses the codebook of each band.
    ///
    /// - Parameter codebooks: The codebook of each band. ``BandCodebook/noise`` and the intensity codebooks are kept. All others are
    ///   replaced.
    package mutating func choose(_ codebooks: inout MutableSpan<UInt8>, layout: borrowing BandLayout) {
        let headerBits = Self.headerBits(of: layout.sequence)
        for group in 0..<layout.groupCount {
            let bands = group * layout.bandsPerGroup..<(group + 1) * layout.bandsPerGroup
            extend(through: bands, codebooks.span, headerBits: headerBits)
            trace(&codebooks, bands, headerBits: headerBits)
        }
    }

    /// Computes the minimum costs up to each band of a group.
    private mutating func extend(through bands: Range<Int>, _ codebooks: Span<UInt8>, headerBits: Float) {
        var costs = costs.mutableSpan(first: Self.costCount)
        var lowest = lowest.mutableSpan(first: BandLayout.maximumCount)
        let codebookCosts = codebookCosts.span(first: BandLayout.maximumCount)
        // At the start and after a band with a fixed codebook, no section can continue.
        let none = SIMD4<Float>(repeating: .infinity)
        var (first, second, third) = (none, none, none)
        var start = headerBits
        for band in bands {
            var upToBand = costs._mutatingExtracting(band &* CodebookCosts.count..<(band &+ 1) &* CodebookCosts.count)
            if codebooks[band] > BandCodebook.escape {
                (first, second, third) = (none, none, none)
                upToBand[CodebookCosts.index(ofCodebook: 0)] = start
            } else {
                let ofBand = codebookCosts[band].vectors
                let started = SIMD4(repeating: start)
                first = started.minimum(first) + ofBand.0
                second = started.minimum(second) + ofBand.1
                third = started.minimum(third) + ofBand.2
                upToBand.store(first, at: 0)
                upToBand.store(second, at: 4)
                upToBand.store(third, at: 8)
                start = first.minimum(second).minimum(third).least
            }
            lowest[band] = start
            start += headerBits
        }
    }

    /// Returns the first codebook with the minimum cost up to a band; 0 for a band with a fixed codebook.
    @inline(__always)
    private static func cheapestCodebook(_ band: Int, _ costs: Span<Float>, lowest: Span<Float>) -> Int {
        let costs = costs.extracting(band &* CodebookCosts.count..<(band &+ 1) &* CodebookCosts.count)
        let lowest = lowest[band]
        var codebook = 0
        while costs[CodebookCosts.index(ofCodebook: codebook)] > lowest { codebook &+= 1 }
        return codebook
    }

    /// Sets the codebooks of a group, from its last band back to its first.
    private func trace(_ codebooks: inout MutableSpan<UInt8>, _ bands: Range<Int>, headerBits: Float) {
        guard var band = bands.last else { return }
        let (costs, lowest) = (costs.span(first: Self.costCount), lowest.span(first: BandLayout.maximumCount))
        var codebook = Self.cheapestCodebook(band, costs, lowest: lowest)
        while true {
            let isFixed = codebooks[band] > BandCodebook.escape
            if !isFixed { codebooks[band] = UInt8(truncatingIfNeeded: codebook) }
            if band == bands.lowerBound { return }
            band &-= 1
            let continued = costs[band &* CodebookCosts.count &+ CodebookCosts.index(ofCodebook: codebook)]
            if isFixed || codebooks[band] > BandCodebook.escape || lowest[band] + headerBits <= continued {
                codebook = Self.cheapestCodebook(band, costs, lowest: lowest)
            }
        }
    }
}
