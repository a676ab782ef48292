// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The parameters of one channel in a compressed element.
struct PredictorParameters {
    /// Whether the residuals are differences of differences: a filter of first order comes before the adaptive one.
    let isDifferentiated: Bool
    /// The number of bits after the point of the coefficients.
    let coefficientShift: Int
    /// The factor of the history multiplier in quarters.
    let historyFactor: Int
    /// The number of coefficients; 31 stands for a filter of first order without coefficients.
    let order: Int
    /// The coefficients at the beginning of the packet, that of the latest sample first.
    let coefficients: ContiguousArray<Int32>

    /// The order that stands for the filter of first order.
    static let firstOrder = 31

    /// Reads the parameters.
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
