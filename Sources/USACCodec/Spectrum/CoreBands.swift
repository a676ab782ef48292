// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio
internal import TransformCoding

/// The scale factor bands of a core rate and frame length (ISO/IEC 23003-3, 6.2.9).
struct CoreBands {
    /// The lines of a long window, 1024 or 768.
    let frameLength: Int
    /// The first line of each long band, and the end of the last one.
    let longOffsets: ContiguousArray<UInt16>
    /// The first line of each short band, and the end of the last one.
    let shortOffsets: ContiguousArray<UInt16>
    /// The band above the highest one that TNS filters in long windows.
    let longTNSBands: Int
    /// The same in short windows.
    let shortTNSBands: Int

    /// The limits of TNS in long windows by index of the rate (ISO/IEC 23003-3, 7.8).
    private static let longLimits = [31, 31, 34, 40, 42, 51, 47, 47, 43, 43, 43, 40, 40]
    /// The limits of TNS in short windows.
    private static let shortLimits = [9, 9, 10, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15]

    /// Chooses the tables.
    ///
    /// - Parameters:
    ///   - coreRate: The sample rate of the core in hertz.
    ///   - frameLength: 1024 or 768; the latter uses the tables of a rate a third higher.
    init(coreRate: Int, frameLength: Int) {
        self.frameLength = frameLength
        let index = SamplingFrequencyIndex(nearestTo: frameLength == 768 ? coreRate * 4 / 3 : coreRate).rawValue
        if frameLength == 768 {
            longOffsets = ScaleFactorBandOffsets768.long768[Int(ScaleFactorBandOffsets768.longTableNumbers[index])]
            shortOffsets = ScaleFactorBandOffsets768.short96[Int(ScaleFactorBandOffsets768.shortTableNumbers[index])]
        } else {
            longOffsets = ScaleFactorBandOffsets.long(samplingFrequencyIndex: index, lineCount: 1024)
            shortOffsets = ScaleFactorBandOffsets.short(samplingFrequencyIndex: index, lineCount: 128)
        }
        longTNSBands = Self.longLimits[index]
        shortTNSBands = Self.shortLimits[index]
    }

    /// The lines of a short window.
    @inline(__always)
    var shortLength: Int { frameLength / 8 }

    /// Returns the number of bands of a window.
    @inline(__always)
    func count(isShort: Bool) -> Int { (isShort ? shortOffsets.count : longOffsets.count) &- 1 }

    /// Returns the lines of a window.
    @inline(__always)
    func lineCount(isShort: Bool) -> Int { isShort ? shortLength : frameLength }

    /// Returns the first line of a band of a window.
    @inline(__always)
    func offset(_ band: Int, isShort: Bool) -> Int { Int(isShort ? shortOffsets[band] : longOffsets[band]) }

    /// Returns the band above the highest one that TNS filters.
    func tnsBands(isShort: Bool) -> Int { isShort ? shortTNSBands : longTNSBands }
}
