// SPDX-License-Identifier: Apache-2.0

import Foundation
import TransformCoding

/// The QMF banks as in the standard: sums of products in double precision (ISO/IEC 14496-3:2009, 4.6.18.4).
struct QMFAnalysisModel {
    private var x = [Double](repeating: 0, count: 320)

    /// Returns one QMF slot of 32 subbands from 32 samples.
    mutating func qmfSlot(_ samples: ArraySlice<Float>) -> [(real: Double, imaginary: Double)] {
        x = samples.reversed().map { Double($0) } + x.prefix(288)
        var u = [Double](repeating: 0, count: 64)
        for n in 0..<320 { u[n % 64] += x[n] * Double(QMFPrototype.coefficients[2 * n]) }
        return (0..<32).map { k in
            var sum = (real: 0.0, imaginary: 0.0)
            for n in 0..<64 {
                let angle = Double.pi / 64 * (Double(k) + 0.5) * (2 * Double(n) - 0.5)
                sum.real += 2 * u[n] * cos(angle)
                sum.imaginary += 2 * u[n] * sin(angle)
            }
            return sum
        }
    }
}

/// The analysis filter bank with 64 subbands.
struct QMFAnalysis64Model {
    private var x = [Double](repeating: 0, count: 640)

    /// Returns one QMF slot of 64 subbands from 64 samples.
    mutating func qmfSlot(_ samples: ArraySlice<Float>) -> [(real: Double, imaginary: Double)] {
        x = samples.reversed().map { Double($0) } + x.prefix(576)
        var u = [Double](repeating: 0, count: 128)
        for n in 0..<640 { u[n % 128] += x[n] * Double(QMFPrototype.coefficients[n]) }
        return (0..<64).map { k in
            var sum = (real: 0.0, imaginary: 0.0)
            for n in 0..<128 {
                let angle = Double.pi / 128 * (Double(k) + 0.5) * (2 * Double(n) - 1)
                sum.real += u[n] * cos(angle)
                sum.imaginary += u[n] * sin(angle)
            }
            return sum
        }
    }
}

/// The synthesis filter banks with 64 and 32 subbands.
struct QMFSynthesisModel {
    let bandCount: Int
    private var v: [Double]

    init(bandCount: Int) {
        self.bandCount = bandCount
        v = [Double](repeating: 0, count: 20 * bandCount)
    }

    /// Returns one sample per subband from a QMF slot.
    mutating func samples(_ qmfSlot: [(real: Double, imaginary: Double)]) -> [Double] {
        let shift = bandCount == 64 ? 255.0 : 127.5
        let step = bandCount == 64 ? Double.pi / 128 : Double.pi / 64
        let block = (0..<2 * bandCount).map { n in
            (0..<bandCount).reduce(0.0) { sum, k in
                let angle = step * (Double(k) + 0.5) * (2 * Double(n) - shift)
                return sum + (qmfSlot[k].real * cos(angle) - qmfSlot[k].imaginary * sin(angle)) / 64
            }
        }
        v = block + v.prefix(18 * bandCount)
        var output = [Double](repeating: 0, count: bandCount)
        for n in 0..<5 {
            for k in 0..<bandCount {
                let stride = 64 / bandCount
                let first = 2 * bandCount * n + k
                output[k] += v[4 * bandCount * n + k] * Double(QMFPrototype.coefficients[stride * first])
                output[k] +=
                    v[4 * bandCount * n + 3 * bandCount + k] * Double(QMFPrototype.coefficients[stride * (first + bandCount)])
            }
        }
        return output
    }
}
