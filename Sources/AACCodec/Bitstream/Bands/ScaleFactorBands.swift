// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The scale factor bands of one sample rate and frame length (ISO/IEC 14496-3:2009, 4.5.4).
struct ScaleFactorBands {
    /// Lines of a long window: 1024 or 960.
    let frameLength: Int

    /// The coded form of the sample rate, 0 to 12.
    let samplingFrequencyIndex: Int

    /// Bands of a long window (`num_swb_long_window`), 40 to 51.
    let longCount: Int

    /// Bands of a short window (`num_swb_short_window`), 12 to 15.
    let shortCount: Int

    /// The first line of each long band, then ``frameLength`` up to the end of the array (`swb_offset_long_window`).
    private(set) var longOffsets: [52 of UInt16]

    /// The first line of each short band, then ``shortLength`` up to the end of the array (`swb_offset_short_window`).
    private(set) var shortOffsets: [16 of UInt16]

    /// The band above the highest one that TNS filters in long windows (`TNS_MAX_BANDS`).
    let longTNSBands: Int

    /// The same in short windows.
    let shortTNSBands: Int

    /// Lines of a short window: 128 or 120.
    var shortLength: Int { frameLength / 8 }

    /// Gathers the bands for a sampling frequency index from 0 to 12 and a frame length of 1024 or 960.
    init(samplingFrequencyIndex index: Int, frameLength: Int) {
        precondition(frameLength == 1024 || frameLength == 960)
        self.frameLength = frameLength
        samplingFrequencyIndex = index
        let long = ScaleFactorBandOffsets.long[Int(ScaleFactorBandOffsets.longTableNumbers[index])]
        let short = ScaleFactorBandOffsets.short[Int(ScaleFactorBandOffsets.shortTableNumbers[index])]
        longOffsets = [52 of UInt16](repeating: UInt16(frameLength))
        shortOffsets = [16 of UInt16](repeating: UInt16(frameLength / 8))
        // Tables for frames of 1024; those of 960 end earlier.
        let longStarts = long.prefix { $0 < frameLength }
        let shortStarts = short.prefix { $0 < frameLength / 8 }
        longCount = longStarts.count
        shortCount = shortStarts.count
        for (band, start) in longStarts.enumerated() { longOffsets[band] = start }
        for (band, start) in shortStarts.enumerated() { shortOffsets[band] = start }
        longTNSBands = Int(TNSLimits.longBands[index])
        shortTNSBands = Int(TNSLimits.shortBands[index])
    }

    /// Returns the first long band that begins at or above a frequency in hertz.
    func firstLongBand(from frequency: Int, sampleRate: Int) -> Int {
        Self.firstBand(longOffsets.span.extracting(first: longCount), lineCount: frameLength, from: frequency, sampleRate: sampleRate)
    }

    /// Returns the first short band that begins at or above a frequency in hertz.
    func firstShortBand(from frequency: Int, sampleRate: Int) -> Int {
        Self.firstBand(shortOffsets.span.extracting(first: shortCount), lineCount: shortLength, from: frequency, sampleRate: sampleRate)
    }

    /// Returns the first band of a window of `lineCount` lines that begins at or above a frequency in hertz.
    private static func firstBand(_ offsets: Span<UInt16>, lineCount: Int, from frequency: Int, sampleRate: Int) -> Int {
        var band = 0
        while band < offsets.count && Int(offsets[band]) * sampleRate < frequency * 2 * lineCount { band += 1 }
        return band
    }

    /// Returns the number of bands of a window of a sequence.
    @inline(__always)
    func count(for sequence: WindowSequence) -> Int { sequence == .eightShort ? shortCount : longCount }
}
