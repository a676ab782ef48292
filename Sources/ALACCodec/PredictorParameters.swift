// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The parameters of one channel in a compressed element.
struct PredictorParameters {
    /// Whether the residuals are second differences, so that a first-order filter precedes the adaptive one.
    let isDifferentiated: Bool
    /// The number of fractional bits of the coefficients.
    let coefficientShift: Int
    /// The factor for the history multiplier, in quarters.
    let historyFactor: Int
    /// The number of coefficients, or ``firstOrder``.
    let order: Int
    /// The initial coefficients, starting with the latest sample's.
    let coefficients: ContiguousArray<Int32>

    /// The code of a first-order filter without coefficients.
    static let firstOrder = 31

    init(reading reader: inout BitReader) {
        isDifferentiated = reader.read(4) != 0
        coefficientShift = Int(reader.read(4))
        historyFactor = Int(reader.read(3))
        order = Int(reader.read(5))
        var coefficients = ContiguousArray<Int32>(repeating: 0, count: order)
        for index in 0..<order { coefficients[index] = Int32(Int16(truncatingIfNeeded: reader.read(16))) }
        self.coefficients = coefficients
    }
}
