// SPDX-License-Identifier: Apache-2.0

import Foundation
package import TransformCoding

/// A complex number in double precision, for the SBR and parametric stereo models.
package struct DoubleComplex: Equatable {
    package var real = 0.0
    package var imaginary = 0.0

    package init(real: Double = 0, imaginary: Double = 0) {
        self.real = real
        self.imaginary = imaginary
    }

    package static let zero = DoubleComplex()

    /// Returns the unit vector of an angle, in radians.
    package static func unit(_ angle: Double) -> DoubleComplex { DoubleComplex(real: cos(angle), imaginary: sin(angle)) }

    package var conjugate: DoubleComplex { DoubleComplex(real: real, imaginary: -imaginary) }
    package var energy: Double { real * real + imaginary * imaginary }
    package var angle: Double { atan2(imaginary, real) }

    package static func + (a: DoubleComplex, b: DoubleComplex) -> DoubleComplex {
        DoubleComplex(real: a.real + b.real, imaginary: a.imaginary + b.imaginary)
    }
    package static func - (a: DoubleComplex, b: DoubleComplex) -> DoubleComplex {
        DoubleComplex(real: a.real - b.real, imaginary: a.imaginary - b.imaginary)
    }
    package static func * (a: DoubleComplex, b: DoubleComplex) -> DoubleComplex {
        DoubleComplex(real: a.real * b.real - a.imaginary * b.imaginary, imaginary: a.real * b.imaginary + a.imaginary * b.real)
    }
    package static func * (a: DoubleComplex, b: Double) -> DoubleComplex { DoubleComplex(real: a.real * b, imaginary: a.imaginary * b) }

    /// Returns a random value with parts within ±`amplitude`, representable as floats.
    package static func random(_ amplitude: Float, _ random: inout SeededRandom) -> DoubleComplex {
        DoubleComplex(
            real: Double(Float.random(in: -amplitude...amplitude, using: &random)),
            imaginary: Double(Float.random(in: -amplitude...amplitude, using: &random)))
    }
}

/// The energies of a signal and of its difference from a model.
package struct ModelError {
    package private(set) var signal = 0.0
    package private(set) var difference = 0.0

    package init() {}

    package mutating func add(_ value: DoubleComplex, expected: DoubleComplex) {
        signal += expected.energy
        difference += (value - expected).energy
    }

    /// The difference relative to the signal, in decibels.
    package var decibels: Double { 10 * log10(max(difference, 1e-300) / max(signal, 1e-300)) }
}

extension ComplexVector {
    package func lane(_ index: Int) -> DoubleComplex {
        DoubleComplex(real: Double(real[index]), imaginary: Double(imaginary[index]))
    }

    package mutating func set(_ value: DoubleComplex, lane index: Int) {
        real[index] = Float(value.real)
        imaginary[index] = Float(value.imaginary)
    }
}

extension LowBandSlots {
    /// `X_Low(subband, slot)`.
    ///
    /// Time slot 8 is the first of the current frame.
    package func value(_ subband: Int, _ qmfSlot: Int) -> DoubleComplex {
        let row = Self.row(ofQMFSlot: qmfSlot) + subband / 4
        return DoubleComplex(real: Double(real[row][subband % 4]), imaginary: Double(imaginary[row][subband % 4]))
    }

    /// Stores a frame of time slots with up to 32 subbands.
    package mutating func fill(_ qmfSlots: [[DoubleComplex]]) {
        for first in stride(from: 0, to: qmfSlots.count, by: 4) {
            store(bandCount: 32, qmfSlot: first) { row in
                var lanes = [ComplexVector](repeating: .zero, count: 4)
                for qmfSlot in 0..<4 where first + qmfSlot < qmfSlots.count {
                    for lane in 0..<4 { lanes[qmfSlot].set(qmfSlots[first + qmfSlot][4 * row + lane], lane: lane) }
                }
                return (
                    (lanes[0].real, lanes[1].real, lanes[2].real, lanes[3].real),
                    (lanes[0].imaginary, lanes[1].imaginary, lanes[2].imaginary, lanes[3].imaginary)
                )
            }
        }
    }
}

extension HighBandSlots {
    /// Returns the value of a subband in a time slot of the frame.
    package func value(_ subband: Int, _ qmfSlot: Int) -> DoubleComplex {
        let index = 16 * qmfSlot + subband / 4
        return DoubleComplex(real: Double(real[index][subband % 4]), imaginary: Double(imaginary[index][subband % 4]))
    }

    /// Sets the value of a subband in a time slot of the frame.
    package mutating func set(_ value: DoubleComplex, _ subband: Int, _ qmfSlot: Int) {
        real[16 * qmfSlot + subband / 4][subband % 4] = Float(value.real)
        imaginary[16 * qmfSlot + subband / 4][subband % 4] = Float(value.imaginary)
    }
}
