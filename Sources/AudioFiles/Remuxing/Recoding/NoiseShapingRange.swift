// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import TransformCoding

/// The bands that the TNS filters of an AAC channel cover.
///
/// Below 32 kHz, filters of USAC can cover one band more than those of AAC.
struct NoiseShapingRange {
    private let isShort: Bool
    private let bandCount: Int
    /// The end of the bands that filters can cover.
    private let limit: Int

    init(_ info: ICSInfo, bands: ScaleFactorBands) {
        isShort = info.isShort
        bandCount = bands.count(for: info.windowSequence)
        limit = min(isShort ? bands.shortTNSBands : bands.longTNSBands, info.maxSFB)
    }

    /// Returns the end of the bands that filters change, or 0 without filters.
    func end(of tns: TNSData) -> Int {
        var end = 0
        forEachFilter(of: tns) { _, _, bands in end = max(end, bands.upperBound) }
        return end
    }

    /// Returns filters for the same bands that cover them without a limit, or `nil` if they would be too many.
    func withoutLimit(_ tns: TNSData) -> TNSData? {
        var result = TNSData()
        result.resolutions = tns.resolutions
        var isPossible = true
        var ends = [Int](repeating: bandCount, count: 8)
        forEachFilter(of: tns) { window, filter, bands in
            if bands.upperBound < ends[window] {
                // A filter without coefficients above the first one.
                var gap = TNSFilter()
                gap.length = UInt8(ends[window] - bands.upperBound)
                isPossible = append(gap, ofWindow: window, to: &result) && isPossible
            }
            var filter = filter
            filter.length = UInt8(bands.count)
            isPossible = append(filter, ofWindow: window, to: &result) && isPossible
            ends[window] = bands.lowerBound
        }
        return isPossible ? result : nil
    }

    /// Appends a filter, or returns false if the window has the maximum.
    private func append(_ filter: TNSFilter, ofWindow window: Int, to tns: inout TNSData) -> Bool {
        let count = Int(tns.filterCounts[window])
        guard count < (isShort ? 1 : 3) else { return false }
        tns[window, count] = filter
        tns.filterCounts[window] += 1
        return true
    }

    /// Calls `body` with the filters that change bands, from the highest bands down.
    private func forEachFilter(of tns: TNSData, _ body: (_ window: Int, _ filter: TNSFilter, _ bands: Range<Int>) -> Void) {
        for window in 0..<(isShort ? 8 : 1) {
            var top = bandCount
            for number in 0..<Int(tns.filterCounts[window]) {
                let filter = tns[window, number]
                let bottom = max(top - Int(filter.length), 0)
                let (lower, upper) = (min(bottom, limit), min(top, limit))
                top = bottom
                if filter.order > 0 && lower < upper { body(window, filter, lower..<upper) }
            }
        }
    }
}
