// SPDX-License-Identifier: Apache-2.0

/// The scalar quantisers of start state and gains (RFC 3951, 3.5 and 3.6.4.2), and the filter of the expanded codebook.
package enum QuantizerTables {
    /// The base-10 logarithms of the start state's peak magnitude (`state_frgqTbl`).
    static let stateScale: [Float] = [
        1.000085, 1.071695, 1.140395, 1.206868, 1.277188, 1.351503, 1.42938, 1.500727, 1.569049, 1.639599, 1.707071, 1.781531, 1.840799,
        1.90155, 1.956695, 2.00675, 2.055474, 2.102787, 2.142819, 2.183592, 2.217962, 2.257177, 2.295739, 2.332967, 2.369248, 2.402792,
        2.43508, 2.468598, 2.503394, 2.539284, 2.572944, 2.605036, 2.636331, 2.668939, 2.69878, 2.729101, 2.759786, 2.789834, 2.818679,
        2.848074, 2.87747, 2.906899, 2.936655, 2.967804, 3.000115, 3.033367, 3.066355, 3.104231, 3.141499, 3.183012, 3.222952, 3.265433,
        3.308441, 3.350823, 3.395275, 3.442793, 3.490801, 3.542514, 3.604064, 3.66605, 3.740994, 3.830749, 3.93877, 4.101764,
    ]

    /// The values of a start state sample (`state_sq3Tbl`).
    package static let stateSample: [Float] = [
        -3.719849, -2.17749, -1.130005, -0.309692, 0.444214, 1.329712, 2.436279, 3.983887,
    ]

    /// The gains of the first stage (`gain_sq5Tbl`).
    package static let firstGain: [Float] = [
        0.037476, 0.075012, 0.112488, 0.150024, 0.1875, 0.224976, 0.262512, 0.299988, 0.337524, 0.375, 0.412476, 0.450012, 0.487488,
        0.525024, 0.5625, 0.599976, 0.637512, 0.674988, 0.712524, 0.75, 0.787476, 0.825012, 0.862488, 0.900024, 0.9375, 0.974976,
        1.012512, 1.049988, 1.087524, 1.125, 1.162476, 1.200012,
    ]

    /// The gains of the second stage, relative to the first (`gain_sq4Tbl`).
    package static let secondGain: [Float] = [
        -1.049988, -0.900024, -0.75, -0.599976, -0.450012, -0.299988, -0.150024, 0.0, 0.150024, 0.299988, 0.450012, 0.599976, 0.75,
        0.900024, 1.049988, 1.200012,
    ]

    /// The gains of the third stage, relative to the second (`gain_sq3Tbl`).
    package static let thirdGain: [Float] = [
        -1.0, -0.659973, -0.330017, 0.0, 0.25, 0.5, 0.75, 1.0,
    ]

    /// The filter of the expanded codebook, in the order of samples k - 3 to k + 4 (`cbfiltersTbl`, 3.6.3.2).
    ///
    /// RFC 3951 prints the values in this order but applies them to samples k + 4 to k - 3. FFmpeg's decoder and streams of other encoders
    /// have the larger value at k + 1.
    package static let expansion: [Float] = [
        -0.033691, 0.08374, -0.144043, 0.713379, 0.806152, -0.184326, 0.108887, -0.03418,
    ]

    /// Returns the index of the nearest value in an ascending table.
    package static func nearest(to value: Float, in table: [Float]) -> Int {
        var index = 0
        while index + 1 < table.count, value > (table[index] + table[index + 1]) / 2 { index += 1 }
        return index
    }
}
