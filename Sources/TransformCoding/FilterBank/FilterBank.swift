// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio

/// The filter bank: windowing, block switching and overlap-add with the ``MDCT``, in both directions.
///
/// One filter bank serves any number of channels: it contains tables and workspace, but no history. Samples are scaled to ±32768 and
/// coefficients as in the bitstream, so that synthesis inverts analysis exactly.
///
/// The two halves of a window are chosen independently. The rising half depends on this block's sequence and the previous block's shape,
/// the falling half on this block's sequence and shape. So any order of sequences is defined, even those that the standard forbids.
///
/// AAC-LD has only long blocks, and a low overlap window instead of the Kaiser-Bessel derived window: a sine slope of a quarter block
/// between zeros and ones. ISO/IEC 14496-3:2009, 4.6.11 and 4.6.17.
package struct FilterBank: ~Copyable {
    /// The number of samples per block: 1024 or 960 (`frameLengthFlag`), 768 in USAC, or 512 or 480 in AAC-LD.
    package let frameLength: Int

    /// The number of samples per short block, an eighth of ``frameLength``; 32 and unused without short blocks.
    package let shortLength: Int

    package let hasShortBlocks: Bool

    /// The length of the rising half of a long window with the second shape.
    private let secondLength: Int

    package var long: MDCT

    package var short: MDCT

    /// The rising window halves: long with either shape, then short with either shape.
    let windows: ContiguousArray<Float>

    /// One folded block, between window and transform.
    var folded: FixedArray<Float>

    /// The overlap-added sum of eight short blocks, nine short lengths long.
    var shortSum: FixedArray<Float>

    /// The second half of the previous short block.
    var shortOverlap: FixedArray<Float>

    /// Computes the tables.
    ///
    /// - Parameters:
    ///   - frameLength: The number of samples per block. ``MDCT`` must support it, and an eighth of it for short blocks.
    ///   - hasLowOverlap: Whether to use AAC-LD's windows.
    package init(frameLength: Int, hasLowOverlap: Bool = false) {
        self.frameLength = frameLength
        hasShortBlocks = !hasLowOverlap
        secondLength = hasLowOverlap ? frameLength / 4 : frameLength
        // The smallest supported length, unused without short blocks.
        shortLength = hasLowOverlap ? 32 : frameLength / 8
        long = MDCT(frameLength)
        short = MDCT(shortLength)
        windows = frameLength == 1024 ? Self.windows1024 : Self.windows(frameLength, hasLowOverlap: hasLowOverlap)
        folded = FixedArray(repeating: 0, count: frameLength)
        shortSum = FixedArray(repeating: 0, count: 9 * shortLength)
        shortOverlap = FixedArray(repeating: 0, count: shortLength)
    }

    /// The windows for the most common block length, shared by all encoders of a file.
    private static let windows1024 = windows(1024, hasLowOverlap: false)

    /// Computes ``windows``.
    private static func windows(_ length: Int, hasLowOverlap: Bool) -> ContiguousArray<Float> {
        let (second, short) = hasLowOverlap ? (length / 4, 32) : (length, length / 8)
        var windows = ContiguousArray<Float>(repeating: 0, count: length + second + 2 * short)
        let end = windows.count
        do {
            var table = windows.mutableSpan
            Windows.fillSine(&table, 0..<length)
            Windows.fillSine(&table, length + second..<end - short)
            if hasLowOverlap {
                Windows.fillSine(&table, length..<length + second)
            } else {
                Windows.fillKaiserBesselDerived(&table, length..<length + second, alpha: 4)
                Windows.fillKaiserBesselDerived(&table, end - short..<end, alpha: 6)
            }
        }
        return windows
    }

    /// Returns the range of a window's rising half in ``windows``.
    @inline(__always)
    func windowRange(isShort: Bool, _ shape: WindowShape) -> Range<Int> {
        let isSecond = shape != .sine
        let length = isShort ? shortLength : isSecond ? secondLength : frameLength
        let first = (isShort ? frameLength &+ secondLength : 0) &+ (isSecond ? (isShort ? shortLength : frameLength) : 0)
        return first..<first &+ length
    }
}

extension WindowSequence {
    package var risesShort: Bool { self == .eightShort || self == .longStop || self == .stopStart }

    package var fallsShort: Bool { self == .eightShort || self == .longStart || self == .stopStart }
}
