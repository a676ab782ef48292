// SPDX-License-Identifier: Apache-2.0

/// Scale factor band tables `swb_offset_long_window` and `swb_offset_short_window` (ISO/IEC 14496-3:2009, 4.5.4, Tables 4.129 to 4.141).
package enum ScaleFactorBandOffsets {
    /// Returns the first line of each long-window band, and the end of the last band.
    ///
    /// - Parameters:
    ///   - index: The sampling frequency index, 0 to 12.
    ///   - lineCount: The line count of the window: 1024, 960 or 768, or 512 or 480 for low-delay object types.
    static func long(samplingFrequencyIndex index: Int, lineCount: Int) -> ContiguousArray<UInt16> {
        switch lineCount {
        // Small builds do not support low-delay object types.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        case 512: lowDelay512[Int(lowDelayTableNumbers[index])]
        case 480: lowDelay480[Int(lowDelayTableNumbers[index])]
        #endif
        default: offsets(long1024[Int(longTableNumbers[index])], endingAt: lineCount)
        }
    }

    /// Returns the first line of each short-window band, and the end of the last band.
    ///
    /// The low-delay object types have no short windows; the result is then only 0.
    ///
    /// - Parameters:
    ///   - index: The sampling frequency index, 0 to 12.
    ///   - lineCount: The line count of the window: 128, 120 or 96, or 64 or 60 (an eighth of a frame) for low-delay object types.
    static func short(samplingFrequencyIndex index: Int, lineCount: Int) -> ContiguousArray<UInt16> {
        switch lineCount {
        case 64, 60: [0]
        default: offsets(short128[Int(shortTableNumbers[index])], endingAt: lineCount)
        }
    }

    /// Truncates band offsets at a shorter window's end.
    ///
    /// The standards list 960 and 120 lines in the same tables, and have separate tables for 768 and 96 lines (ISO/IEC 23003-3, 6.2.9).
    private static func offsets(_ offsets: ContiguousArray<UInt16>, endingAt end: Int) -> ContiguousArray<UInt16> {
        ContiguousArray(offsets.prefix { $0 < end }) + [UInt16(end)]
    }

    /// The index in ``long1024`` for each sampling frequency index.
    private static let longTableNumbers: [UInt8] = [0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 5, 6, 6]

    /// The index in ``lowDelay512`` and ``lowDelay480`` for each sampling frequency index.
    ///
    /// The standard defines 48 to 22.05 kHz; other rates use the nearest table.
    private static let lowDelayTableNumbers: [UInt8] = [0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2]

    /// The index in ``short128`` for each sampling frequency index.
    private static let shortTableNumbers: [UInt8] = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4]

    /// For windows of 1024 lines. The last entry is 1024.
    // swift-format-ignore
    private static let long1024: [ContiguousArray<UInt16>] = [
        // 96000, 88200 Hz
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 156, 172, 188, 212, 240,
            276, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960, 1024,
        ],
        // 64000 Hz
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 100, 112, 124, 140, 156, 172, 192, 216, 240, 268,
            304, 344, 384, 424, 464, 504, 544, 584, 624, 664, 704, 744, 784, 824, 864, 904, 944, 984, 1024,
        ],
        // 48000, 44100 Hz
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 160, 176, 196, 216, 240, 264, 292,
            320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672, 704, 736, 768, 800, 832, 864, 896, 928, 1024,
        ],
        // 32000 Hz
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 160, 176, 196, 216, 240, 264, 292,
            320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672, 704, 736, 768, 800, 832, 864, 896, 928, 960, 992, 1024,
        ],
        // 24000, 22050 Hz
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 52, 60, 68, 76, 84, 92, 100, 108, 116, 124, 136, 148, 160, 172, 188, 204, 220,
            240, 260, 284, 308, 336, 364, 396, 432, 468, 508, 552, 600, 652, 704, 768, 832, 896, 960, 1024,
        ],
        // 16000, 12000, 11025 Hz
        [
            0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 100, 112, 124, 136, 148, 160, 172, 184, 196, 212, 228, 244, 260, 280, 300,
            320, 344, 368, 396, 424, 456, 492, 532, 572, 616, 664, 716, 772, 832, 896, 960, 1024,
        ],
        // 8000, 7350 Hz
        [
            0, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120, 132, 144, 156, 172, 188, 204, 220, 236, 252, 268, 288, 308, 328, 348, 372,
            396, 420, 448, 476, 508, 544, 580, 620, 664, 712, 764, 820, 880, 944, 1024,
        ],
    ]

    /// For windows of 128 lines. The last entry is 128.
    // swift-format-ignore
    private static let short128: [ContiguousArray<UInt16>] = [
        // 96000, 88200, 64000 Hz
        [0, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 92, 128],
        // 48000, 44100, 32000 Hz
        [0, 4, 8, 12, 16, 20, 28, 36, 44, 56, 68, 80, 96, 112, 128],
        // 24000, 22050 Hz
        [0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 64, 76, 92, 108, 128],
        // 16000, 12000, 11025 Hz
        [0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 60, 72, 88, 108, 128],
        // 8000, 7350 Hz
        [0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 60, 72, 88, 108, 128],
    ]

    /// For windows of 512 lines in AAC-LD and AAC-ELD. The last entry is 512.
    // swift-format-ignore
    private static let lowDelay512: [ContiguousArray<UInt16>] = [
        // 48000, 44100 Hz and above
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 68, 76, 84, 92, 100, 112, 124, 136, 148, 164, 184, 208, 236,
            268, 300, 332, 364, 396, 428, 460, 512,
        ],
        // 32000 Hz
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 160, 176, 192, 212, 236,
            260, 288, 320, 352, 384, 416, 448, 480, 512,
        ],
        // 24000, 22050 Hz and below
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 52, 60, 68, 80, 92, 104, 120, 140, 164, 192, 224, 256, 288, 320, 352, 384, 416,
            448, 480, 512,
        ],
    ]

    /// For windows of 480 lines in AAC-LD and AAC-ELD. The last entry is 480.
    // swift-format-ignore
    private static let lowDelay480: [ContiguousArray<UInt16>] = [
        // 48000, 44100 Hz and above
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 156, 172, 188, 212, 240,
            272, 304, 336, 368, 400, 432, 480,
        ],
        // 32000 Hz
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 88, 96, 104, 112, 124, 136, 148, 164, 180, 200, 224,
            256, 288, 320, 352, 384, 416, 448, 480,
        ],
        // 24000, 22050 Hz and below
        [
            0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 52, 60, 68, 80, 92, 104, 120, 140, 164, 192, 224, 256, 288, 320, 352, 384, 416,
            448, 480,
        ],
    ]
}
