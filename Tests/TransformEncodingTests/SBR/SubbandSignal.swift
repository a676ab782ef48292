// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import TransformCoding
import TransformEncoding

/// Test signals in subbands, for the SBR encoder's analysis.
struct SubbandSignal {
    /// Tones as frequency in hertz and amplitude, full scale ±32768.
    var tones: [(frequency: Double, amplitude: Double)] = []
    /// The amplitude of white noise, and the 375 Hz subbands that contain it.
    var noise = 0.0
    var noiseBands = 0..<64
    var seed: UInt64 = 1

    static let sampleRate = 48_000.0

    /// White noise in all or some subbands.
    static func noise(_ amplitude: Double, in bands: Range<Int> = 0..<64, seed: UInt64 = 1) -> SubbandSignal {
        SubbandSignal(noise: amplitude, noiseBands: bands, seed: seed)
    }

    /// A tone at a third of each subband in `subbands`, and noise in `bands`.
    static func tones(in subbands: Range<Int>, _ amplitude: Double, noise: Double = 0, in bands: Range<Int> = 0..<0) -> SubbandSignal {
        SubbandSignal(tones: subbands.map { ((Double($0) + 0.34) * 375, amplitude) }, noise: noise, noiseBands: bands)
    }

    /// Calls `body` with the tonality of each of `count` frames.
    func forEachFrame(_ count: Int, _ body: (borrowing SubbandTonality) -> Void) {
        var random = SeededRandom(seed: seed)
        var bank = QMFAnalysis64(SlotLayout(coreFrameLength: 1024))
        var noiseBank = QMFAnalysis64(SlotLayout(coreFrameLength: 1024))
        var qmfSlots = SubbandSlots(SlotLayout(coreFrameLength: 1024))
        var noiseQMFSlots = SubbandSlots(SlotLayout(coreFrameLength: 1024))
        var history = SubbandHistory(SlotLayout(coreFrameLength: 1024), qmfSlotsPerTimeSlot: 2)
        var tonality = SubbandTonality()
        for frame in 0..<count + 4 {
            let samples = (0..<2048).map { index in
                let time = Double(2048 * frame + index) / Self.sampleRate
                return tones.reduce(Float(0)) { $0 + Float($1.amplitude * sin(2 * Double.pi * $1.frequency * time)) }
            }
            bank.analyze(samples.span, into: &qmfSlots)
            let noises = (0..<2048).map { _ in Float(noise * Double.random(in: -1...1, using: &random)) }
            noiseBank.analyze(noises.span, into: &noiseQMFSlots)
            for index in 0..<512 {
                // Noise added here stays in its subbands.
                for lane in 0..<4 where noiseBands.contains(4 * (index % 16) + lane) {
                    qmfSlots.real[index][lane] += noiseQMFSlots.real[index][lane]
                    qmfSlots.imaginary[index][lane] += noiseQMFSlots.imaginary[index][lane]
                }
            }
            history.append(qmfSlots)
            tonality.measure(history, rows: 0..<SubbandSlots.rowCount)
            // The filter bank and the history must fill first.
            if frame >= 4 { body(tonality) }
        }
    }
}
