// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

extension ScaleFactorBands {
    /// The limits of TNS in long windows by index of the rate (ISO/IEC 23003-3, 7.8).
    private static let longLimits = [31, 31, 34, 40, 42, 51, 47, 47, 43, 43, 43, 40, 40]
    /// The limits of TNS in short windows.
    private static let shortLimits = [9, 9, 10, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15]

    /// Chooses the tables of USAC (ISO/IEC 23003-3, 6.2.9).
    ///
    /// - Parameters:
    ///   - coreRate: The sample rate of the core in hertz.
    ///   - frameLength: 1024 or 768; the latter uses the tables of a rate a third higher.
    package init(coreRate: Int, frameLength: Int) {
        let index = SamplingFrequencyIndex(nearestTo: frameLength == 768 ? coreRate * 4 / 3 : coreRate).rawValue
        self.init(
            samplingFrequencyIndex: index, frameLength: frameLength, tnsBands: (Self.longLimits[index], Self.shortLimits[index]))
    }

    /// Returns the number of bands of a window.
    package func count(isShort: Bool) -> Int { isShort ? shortCount : longCount }

    /// Returns the lines of a window.
    package func lineCount(isShort: Bool) -> Int { isShort ? shortLength : frameLength }

    /// Returns the first line of a band of a window.
    package func offset(_ band: Int, isShort: Bool) -> Int { Int(isShort ? shortOffsets[band] : longOffsets[band]) }
}
