// SPDX-License-Identifier: Apache-2.0

import Foundation
import MPEG4Audio
import Testing
import TransformCoding

@Suite struct WindowsTests {
    /// A rising half from the standard's formulas, with the system's functions.
    static func half(_ shape: WindowShape, count: Int, alpha: Double) -> [Double] {
        guard shape == .kaiserBesselDerived else {
            return (0..<count).map { sin(Double.pi / Double(2 * count) * (Double($0) + 0.5)) }
        }
        let kernel = (0...count).map { p in
            let x = Double.pi * alpha * sqrt(max(0, 1 - pow((Double(p) - Double(count) / 2) / (Double(count) / 2), 2)))
            return (0..<60).reversed().reduce(0.0) { sum, k in sum + pow(x / 2, Double(2 * k)) / pow(tgamma(Double(k) + 1), 2) }
        }
        let total = kernel.reduce(0, +)
        var sum = 0.0
        return kernel.dropLast().map { value in
            sum += value
            return sqrt(sum / total)
        }
    }

    static func table(_ shape: WindowShape, count: Int, alpha: Double) -> [Float] {
        var values = [Float](repeating: .nan, count: count)
        var span = values.mutableSpan
        switch shape {
        case .sine: Windows.fillSine(&span, 0..<count)
        case .kaiserBesselDerived: Windows.fillKaiserBesselDerived(&span, 0..<count, alpha: alpha)
        }
        return values
    }

    @Test("Both windows match their formulas", arguments: [(1024, 4.0), (128, 6.0), (960, 4.0), (120, 6.0)])
    func formulae(count: Int, alpha: Double) {
        for shape in [WindowShape.sine, .kaiserBesselDerived] {
            let expected = Self.half(shape, count: count, alpha: alpha)
            let values = Self.table(shape, count: count, alpha: alpha)
            // Half a unit in the last place of a Float below 1, plus the model's error.
            #expect(zip(values, expected).allSatisfy { abs(Double($0) - $1) < 3.1e-8 }, "\(shape) \(count)")
        }
    }

    @Test("Kaiser-Bessel derived windows have the standard's values")
    func knownValues() {
        let long = Self.table(.kaiserBesselDerived, count: 1024, alpha: 4)
        for (index, value) in [(0, 0.0002925615), (511, 0.7061193391), (512, 0.7080928463), (1023, 0.9999999572)] {
            #expect(abs(Double(long[index]) - value) < 3.1e-8)
        }
        let short = Self.table(.kaiserBesselDerived, count: 128, alpha: 6)
        for (index, value) in [(0, 0.0000437957), (63, 0.6974064663), (64, 0.7166758129), (127, 0.999999999)] {
            #expect(abs(Double(short[index]) - value) < 3.1e-8)
        }
    }

    @Test("A half window and its reverse have a total power of one", arguments: [(1024, 4.0), (128, 6.0), (960, 4.0), (120, 6.0)])
    func powerComplement(count: Int, alpha: Double) {
        for shape in [WindowShape.sine, .kaiserBesselDerived] {
            let values = Self.table(shape, count: count, alpha: alpha).map(Double.init)
            #expect(zip(values, values.reversed()).allSatisfy { abs($0 * $0 + $1 * $1 - 1) < 1.2e-7 })
        }
    }

    @Test("Series match the system's functions")
    func series() {
        for step in -4000...4000 {
            let x = Double(step) / 991
            #expect(abs(CircularFunctions.sinePi(x) - sin(Double.pi * x)) < 3e-15)
            #expect(abs(CircularFunctions.cosinePi(x) - cos(Double.pi * x)) < 3e-15)
        }
        #expect(abs(CircularFunctions.besselI0(1) - 1.2660658777520084) < 1e-15)
        #expect(abs(CircularFunctions.besselI0(12) / 18948.925349296308 - 1) < 1e-14)
    }
}
