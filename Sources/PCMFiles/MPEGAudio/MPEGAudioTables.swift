// SPDX-License-Identifier: Apache-2.0

/// The tables of the header (ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3, 2.4.2.3).
enum MPEGAudioTables {
    /// The sample rates of MPEG-1, in hertz.
    ///
    /// The other versions have a half or a quarter.
    static let sampleRates = [44_100, 48_000, 32_000]

    /// Bit rates of MPEG-1 in kbit/s, from index 1, for layers 1, 2 and 3.
    private static let firstVersion = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]

    /// Bit rates of MPEG-2 in kbit/s, from index 1, for layer 1, and for layers 2 and 3.
    private static let secondVersion = [
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Returns the bit rate of an index, in bits per second, or `nil` for free format (0) and the forbidden index (15).
    static func bitRate(layer: Int, isFirstVersion: Bool, index: Int) -> Int? {
        guard 1...14 ~= index else { return nil }
        let rates = isFirstVersion ? firstVersion[layer - 1] : secondVersion[min(layer, 2) - 1]
        return rates[index - 1] * 1000
    }
}
