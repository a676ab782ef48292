// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio

/// The filter bank: windowing, block switching and overlap-add around the ``MDCT``, in both directions (ISO/IEC 14496-3:2009, 4.6.11 and 4.6.17).
///
/// One filter bank serves any number of channels: it holds tables and workspace, no history. Samples are at the scale of 16 bits (±32768),
/// coefficients at that of the bitstream, so that synthesis inverts analysis exactly. The two halves of a window are chosen
/// independently: the rising half by this block's sequence and the previous block's shape, the falling half by this block's sequence and
/// shape. So every succession of sequences is defined, including those that the standard forbids.
///
/// AAC-LD has long blocks only, and low overlap where the others have the Kaiser-Bessel derived window: a sine slope of a quarter of a block amid
/// zeros and ones.
package struct FilterBank: ~Copyable {
    /// The samples of a block: 1024 or 960 (`frameLengthFlag`), 768 in unified speech and audio coding, or 512 or 480 in AAC-LD.
    package let frameLength: Int

    /// The samples of a short block: an eighth of ``frameLength``, unless there are none.
    package let shortLength: Int

    /// Whether there are short blocks.
    package let hasShortBlocks: Bool

    /// The samples of the rising half of a long window of the second shape.
    private let secondLength: Int

    /// The transform of long blocks.
    package var long: MDCT

    /// The transform of short blocks.
    package var short: MDCT

    /// The rising halves of the windows: long of either shape, then short of either shape.
    let windows: ContiguousArray<Float>

    /// One folded block, between window and transform.
    var folded: FixedArray<Float>

    /// The sum of eight overlapping short blocks: nine times the short length.
    var shortSum: FixedArray<Float>

    /// The second half of the previous short block.
    var shortOverlap: FixedArray<Float>

    /// Computes the tables.
    ///
    /// - Parameters:
    ///   - frameLength: The samples of a block, which ``MDCT`` has to support, as an eighth too if there are short blocks.
    ///   - hasLowOverlap: Whether the windows are those of AAC-LD.
    package init(frameLength: Int, hasLowOverlap: Bool = false) {
        self.frameLength = frameLength
        hasShortBlocks = !hasLowOverlap
        secondLength = hasLowOverlap ? frameLength / 4 : frameLength
        // The smallest one, unused, if there are none.
        shortLength = hasLowOverlap ? 32 : frameLength / 8
        long = MDCT(frameLength)
        short = MDCT(shortLength)
        windows = frameLength == 1024 ? Self.windows1024 : Self.windows(frameLength, hasLowOverlap: hasLowOverlap)
        folded = FixedArray(repeating: 0, count: frameLength)
        shortSum = FixedArray(repeating: 0, count: 9 * shortLength)
        shortOverlap = FixedArray(repeating: 0, count: shortLength)
    }

    /// The windows of the most common block, which all encoders of a file share.
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

    /// Returns the range of a window's rising half in `windows`.
    @inline(__always)
    func windowRange(isShort: Bool, _ shape: WindowShape) -> Range<Int> {
        let isSecond = shape != .sine
        let length = isShort ? shortLength : isSecond ? secondLength : frameLength
        let first = (isShort ? frameLength &+ secondLength : 0) &+ (isSecond ? (isShort ? shortLength : frameLength) : 0)
        return first..<first &+ length
    }
}

extension WindowSequence {
    /// Whether the rising half of the window is short.
    var risesShort: Bool { self == .eightShort || self == .longStop }

    /// Whether the falling half of the window is short.
    package var fallsShort: Bool { self == .eightShort || self == .longStart }
}
