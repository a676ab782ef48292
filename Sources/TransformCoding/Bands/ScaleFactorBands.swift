// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// The scale factor bands for one sample rate and frame length (ISO/IEC 14496-3:2009, 4.5.4).
package struct ScaleFactorBands: Sendable {
    /// The line count of a long window: 1024, 960 or 768, or 512 or 480 for low-delay object types.
    package let frameLength: Int

    /// The sampling frequency index, 0 to 12.
    package let samplingFrequencyIndex: Int

    /// The first line of each long band, and the end of the last band, ``frameLength`` (`swb_offset_long_window`).
    package let longOffsets: ContiguousArray<UInt16>

    /// The first line of each short band, and the end of the last band, ``shortLength`` (`swb_offset_short_window`).
    package let shortOffsets: ContiguousArray<UInt16>

    /// The number of bands that TNS can filter in long windows (`TNS_MAX_BANDS`).
    package let longTNSBands: Int

    /// The number of bands that TNS can filter in short windows.
    package let shortTNSBands: Int

    /// The number of bands of a long window (`num_swb_long_window`): 40 to 51, or 30 to 37 for low-delay object types.
    package let longCount: Int

    /// The number of bands of a short window (`num_swb_short_window`): 12 to 15, or 0 for low-delay object types, which have no short
    /// windows.
    package let shortCount: Int

    /// The line count of a short window: 128, 120 or 96.
    package let shortLength: Int

    /// Selects the tables for a sampling frequency index from 0 to 12 and a frame length of 1024, 960, 768, 512 or 480.
    ///
    /// - Parameter tnsBands: The TNS limits for long and short windows; `nil` for AAC's limits.
    package init(samplingFrequencyIndex index: Int, frameLength: Int, tnsBands: (long: Int, short: Int)? = nil) {
        self.frameLength = frameLength
        samplingFrequencyIndex = index
        longOffsets = ScaleFactorBandOffsets.long(samplingFrequencyIndex: index, lineCount: frameLength)
        shortOffsets = ScaleFactorBandOffsets.short(samplingFrequencyIndex: index, lineCount: frameLength / 8)
        longCount = longOffsets.count - 1
        shortCount = shortOffsets.count - 1
        shortLength = frameLength / 8
        longTNSBands = tnsBands?.long ?? TNSLimits.longBands(samplingFrequencyIndex: index, lineCount: frameLength)
        shortTNSBands = tnsBands?.short ?? TNSLimits.shortBands(samplingFrequencyIndex: index, lineCount: frameLength / 8)
    }

    /// Returns the first long band that starts at or above a frequency in hertz.
    package func firstLongBand(from frequency: Int, sampleRate: Int) -> Int {
        Self.firstBand(longOffsets.span, from: frequency, sampleRate: sampleRate)
    }

    /// Returns the first short band that starts at or above a frequency in hertz.
    package func firstShortBand(from frequency: Int, sampleRate: Int) -> Int {
        Self.firstBand(shortOffsets.span, from: frequency, sampleRate: sampleRate)
    }

    private static func firstBand(_ offsets: Span<UInt16>, from frequency: Int, sampleRate: Int) -> Int {
        let bandCount = offsets.count - 1
        let lineCount = Int(offsets[bandCount])
        var band = 0
        while band < bandCount && Int(offsets[band]) * sampleRate < frequency * 2 * lineCount { band += 1 }
        return band
    }

    package func count(for sequence: WindowSequence) -> Int { sequence == .eightShort ? shortCount : longCount }
}
