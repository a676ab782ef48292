// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio

/// The filter bank: windowing, block switching and overlap-add around the ``MDCT``, in both directions (ISO/IEC 14496-3:2009, 4.6.11).
///
/// One filter bank serves any number of channels: it holds tables and workspace, no history. Samples are at the scale of 16 bits (±32768),
/// coefficients at that of the bitstream, so that synthesis inverts analysis exactly. The two halves of a window are chosen
/// independently: the rising half by this block's sequence and the previous block's shape, the falling half by this block's sequence and
/// shape. So every succession of sequences is defined, including those that the standard forbids.
package struct FilterBank: ~Copyable {
    /// The samples of a block: 1024 or 960 (`frameLengthFlag`), or 768 in unified speech and audio coding.
    package let frameLength: Int

    /// The samples of a short block: an eighth of ``frameLength``.
    package let shortLength: Int

    /// The transform of long blocks.
    package var long: MDCT

    /// The transform of short blocks.
    package var short: MDCT

    /// The rising halves of the windows: long sine, long Kaiser-Bessel derived, short sine, short Kaiser-Bessel derived.
    package private(set) var windows: FixedArray<Float>

    /// One folded block, between window and transform.
    var folded: FixedArray<Float>

    /// The sum of eight overlapping short blocks: nine times the short length.
    var shortSum: FixedArray<Float>

    /// The second half of the previous short block.
    var shortOverlap: FixedArray<Float>

    /// Computes the tables.
    ///
    /// - Parameter frameLength: The samples of a block, which ``MDCT`` has to support as an eighth too.
    package init(frameLength: Int) {
        self.frameLength = frameLength
        shortLength = frameLength / 8
        long = MDCT(frameLength)
        short = MDCT(frameLength / 8)
        windows = FixedArray(repeating: 0, count: 2 * (frameLength + frameLength / 8))
        folded = FixedArray(repeating: 0, count: frameLength)
        shortSum = FixedArray(repeating: 0, count: frameLength / 8 * 9)
        shortOverlap = FixedArray(repeating: 0, count: frameLength / 8)
        for isShort in [false, true] {
            let sine = windowRange(isShort: isShort, .sine)
            let kaiserBesselDerived = windowRange(isShort: isShort, .kaiserBesselDerived)
            var table = windows.mutableSpan
            Windows.fillSine(&table, sine)
            Windows.fillKaiserBesselDerived(&table, kaiserBesselDerived, alpha: isShort ? 6 : 4)
        }
    }

    /// Returns the range of a window's rising half in `windows`.
    @inline(__always)
    func windowRange(isShort: Bool, _ shape: WindowShape) -> Range<Int> {
        let length = isShort ? shortLength : frameLength
        let first = (isShort ? 2 &* frameLength : 0) &+ Int(shape.rawValue) &* length
        return first..<first &+ length
    }
}

extension WindowSequence {
    /// Whether the rising half of the window is short.
    var risesShort: Bool { self == .eightShort || self == .longStop }

    /// Whether the falling half of the window is short.
    package var fallsShort: Bool { self == .eightShort || self == .longStart }
}
