// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Limits of the bands and orders of temporal noise shaping (ISO/IEC 14496-3:2009, 4.6.9, Tables 4.102 and 4.103).
enum TNSLimits {
    /// The band above the highest one filtered in long windows, by sampling frequency index (`TNS_MAX_BANDS`).
    static let longBands: [UInt8] = [31, 31, 34, 40, 42, 51, 46, 46, 42, 42, 42, 39, 39]

    /// The same for short windows.
    static let shortBands: [UInt8] = [9, 9, 10, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14]

    /// The highest filter order in long windows for the LC profile (`TNS_MAX_ORDER`).
    static let longOrder = 12

    /// The highest filter order in long windows for the Main and LTP object types.
    static let longOrderOfMain = 20

    /// The highest filter order in short windows.
    static let shortOrder = 7
}
