// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import Foundation
import TestSupport

let testRate = 48_000

func sine(_ hertz: Double, amplitude: Double = 0.5, frames: Int, phase: Double = 0) -> [Float] {
    (0..<frames).map { Float(amplitude * sin(2 * Double.pi * hertz * Double($0) / Double(testRate) + phase)) }
}

/// White noise of a root mean square in decibels of full scale.
func noise(decibels: Double, frames: Int, seed: UInt64) -> [Float] {
    var random = SeededRandom(seed: seed)
    return random.samples(frames, amplitude: Float(pow(10, decibels / 20) * 3.0.squareRoot()))
}

/// Two signals at once.
func sum(_ first: [Float], _ second: [Float]) -> [Float] { zip(first, second).map { $0 + $1 } }

/// Sound at the tests' rate.
func sound(_ channels: [Float]...) -> AudioSignal { AudioSignal(sampleRate: testRate, channels: channels) }
