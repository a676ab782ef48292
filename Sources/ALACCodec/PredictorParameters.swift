// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The parameters of one channel in a compressed element.
struct PredictorParameters {
    /// Whether the residuals are second differences, so that a first-order filter precedes the adaptive one.
    let isDifferentiated: Bool
    /// The number of fractional bits of the coefficients.
    private(set) var coefficientShift: Int
    /// The factor for the history multiplier, in quarters.
    let historyFactor: Int
    /// The number of coefficients, or ``firstOrder``.
    private(set) var order: Int
    /// The initial coefficients, starting with the latest sample's.
    private(set) var coefficients: ContiguousArray<Int32>

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

    /// Creates parameters with the usual history factor, and space for coefficients.
    init(maximumOrder: Int) {
        isDifferentiated = false
        coefficientShift = 9
        historyFactor = 4
        order = 0
        coefficients = ContiguousArray(repeating: 0, count: maximumOrder)
    }

    /// Rounds the first `order` coefficients to a number of fractional bits.
    mutating func setCoefficients(_ values: SIMD8<Double>, order: Int, shift: Int) {
        (self.order, coefficientShift) = (order, shift)
        let scale = Double(1 << shift)
        for tap in 0..<order {
            coefficients[tap] = Int32(max(-32_768, min(32_767, (values[tap] * scale).rounded(.toNearestOrEven))))
        }
    }

    func write(to sink: inout some BitSink) {
        sink.write(isDifferentiated ? 15 : 0, count: 4)
        sink.write(UInt32(coefficientShift), count: 4)
        sink.write(UInt32(historyFactor), count: 3)
        sink.write(UInt32(order), count: 5)
        for tap in 0..<order { sink.write(UInt32(truncatingIfNeeded: coefficients[tap]) & 0xFFFF, count: 16) }
    }
}
