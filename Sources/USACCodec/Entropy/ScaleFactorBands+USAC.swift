// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

extension ScaleFactorBands {
    /// The TNS limits for long windows, by sampling frequency index (ISO/IEC 23003-3, 7.8).
    private static let longLimits = [31, 31, 34, 40, 42, 51, 47, 47, 43, 43, 43, 40, 40]
    /// The TNS limits for short windows.
    private static let shortLimits = [9, 9, 10, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15]

    /// Selects the tables for USAC (ISO/IEC 23003-3, 6.2.9).
    ///
    /// - Parameters:
    ///   - coreRate: The core sample rate, in hertz.
    ///   - frameLength: 1024 or 768. The latter uses the tables for a sample rate a third higher.
    package init(coreRate: Int, frameLength: Int) {
        let index = SamplingFrequencyIndex(nearestTo: frameLength == 768 ? coreRate * 4 / 3 : coreRate).rawValue
        self.init(
            samplingFrequencyIndex: index, frameLength: frameLength, tnsBands: (Self.longLimits[index], Self.shortLimits[index]))
    }

    package func count(isShort: Bool) -> Int { isShort ? shortCount : longCount }

    package func lineCount(isShort: Bool) -> Int { isShort ? shortLength : frameLength }

    /// Returns the first line of a band.
    package func offset(_ band: Int, isShort: Bool) -> Int { Int(isShort ? shortOffsets[band] : longOffsets[band]) }
}
