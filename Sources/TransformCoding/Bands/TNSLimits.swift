// SPDX-License-Identifier: Apache-2.0

/// Band and order limits of temporal noise shaping (ISO/IEC 14496-3:2009, 4.6.9, Tables 4.102 and 4.103).
package enum TNSLimits {
    /// Returns the number of bands that can be filtered in long windows (`TNS_MAX_BANDS`).
    ///
    /// - Parameters:
    ///   - index: The sampling frequency index, 0 to 12.
    ///   - lineCount: The line count of the window: 1024 or 960, or 512 or 480 for low-delay object types.
    static func longBands(samplingFrequencyIndex index: Int, lineCount: Int) -> Int {
        switch lineCount {
        case 512: Int(bandsOf512[index])
        case 480: Int(bandsOf480[index])
        default: Int(bandsOf1024[index])
        }
    }

    /// Returns the number of bands that can be filtered in short windows of 128 or 120 lines; 0 for low-delay object types.
    static func shortBands(samplingFrequencyIndex index: Int, lineCount: Int) -> Int {
        lineCount == 64 || lineCount == 60 ? 0 : Int(bandsOf128[index])
    }

    /// The limits for long windows of 1024 and 960 lines, by sampling frequency index.
    private static let bandsOf1024: [UInt8] = [31, 31, 34, 40, 42, 51, 46, 46, 42, 42, 42, 39, 39]

    /// The limits for windows of 512 lines in AAC-LD and AAC-ELD.
    private static let bandsOf512: [UInt8] = [31, 31, 31, 31, 32, 37, 31, 31, 31, 31, 31, 31, 31]

    /// The limits for windows of 480 lines in AAC-LD and AAC-ELD.
    private static let bandsOf480: [UInt8] = [31, 31, 31, 31, 32, 37, 30, 30, 30, 30, 30, 30, 30]

    /// The limits for short windows of 128 and 120 lines.
    private static let bandsOf128: [UInt8] = [9, 9, 10, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14]

    /// The maximum filter order in long windows for the LC profile (`TNS_MAX_ORDER`).
    package static var longOrder: Int { 12 }

    /// The maximum filter order in long windows for the Main and LTP object types.
    package static var longOrderOfMain: Int { 20 }

    /// The maximum filter order in short windows.
    package static var shortOrder: Int { 7 }
}
