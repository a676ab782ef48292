// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Windowing, block switching and overlap-add around the ``MDCT``, in both directions, for any number of channels.
///
/// Samples are at the scale of 16 bits (±32768), coefficients at that of the bitstream, so that a decoder undoes an encoder
/// exactly. Each half of a window is chosen alone: the rising half by this block's sequence and the previous block's shape, the
/// falling half by this block's sequence and shape. So every succession of sequences works, the illegal ones too.
/// ISO/IEC 14496-3:2009, 4.6.11.
struct FilterBank: ~Copyable {
    /// Samples a block: 1024, or 960 by `frameLengthFlag`.
    let frameLength: Int
    /// Samples of a short block: an eighth.
    let shortLength: Int

    var long: MDCT
    var short: MDCT
    /// The rising halves of the windows: long sine, long Kaiser-Bessel derived, short sine, short Kaiser-Bessel derived.
    var windows = InlineArray<2304, Float>(repeating: 0)
    /// One folded block, between window and transform.
    var folded = InlineArray<1024, Float>(repeating: 0)
    /// Eight short blocks added up: nine times the short length.
    var shortSum = InlineArray<1152, Float>(repeating: 0)
    /// The second half of the short block before.
    var shortOverlap = InlineArray<128, Float>(repeating: 0)

    /// Builds the tables for blocks of 1024 or, if `uses960`, of 960 samples.
    init(uses960: Bool = false) {
        frameLength = uses960 ? 960 : 1024
        shortLength = uses960 ? 120 : 128
        long = MDCT(uses960 ? .coefficients960 : .coefficients1024)
        short = MDCT(uses960 ? .coefficients120 : .coefficients128)
        for isShort in [false, true] {
            let sine = windowRange(isShort: isShort, .sine)
            let kaiserBesselDerived = windowRange(isShort: isShort, .kaiserBesselDerived)
            var table = windows.mutableSpan
            Windows.fillSine(&table, sine)
            Windows.fillKaiserBesselDerived(&table, kaiserBesselDerived, alpha: isShort ? 6 : 4)
        }
    }

    /// Where the rising half of a window lies in `windows`.
    @inline(__always)
    func windowRange(isShort: Bool, _ shape: WindowShape) -> Range<Int> {
        let length = isShort ? shortLength : frameLength
        let first = (isShort ? 2 &* frameLength : 0) &+ Int(shape.rawValue) &* length
        return first..<first &+ length
    }
}

extension WindowSequence {
    /// Whether the block begins with a short slope.
    var risesShort: Bool { self == .eightShort || self == .longStop }
    /// Whether the block ends with a short slope.
    var fallsShort: Bool { self == .eightShort || self == .longStart }
}
