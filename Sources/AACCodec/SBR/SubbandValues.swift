// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// One real number for each of 64 QMF subbands.
struct SubbandValues: Sendable {
    /// Four subbands a vector.
    var rows: [16 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Makes values of 0.
    init() {}

    /// The value of a subband, 0 to 63.
    @inline(__always)
    subscript(subband: Int) -> Float {
        get { rows[subband &>> 2][subband & 3] }
        set { rows[subband &>> 2][subband & 3] = newValue }
    }
}
