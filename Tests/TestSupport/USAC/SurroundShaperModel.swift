// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Temporal shaping of the outputs of MPEG Surround 2-1-2, following the standard's text in double precision (ISO/IEC 23003-1, 6.7).
///
/// Planted faults: STP uses the difference of the dry signals, and GES a lower gain where the wet signal needs a higher one (sign). The STP
/// band-pass and the GES bands are one too high (index). The lowest shaped band is omitted (boundary).
package struct SurroundShaperModel {
    /// Both outputs of a time slot: the parts of the downmix and of the decorrelated signal, by output and band.
    package struct Column {
        package var dry: [[DoubleComplex]]
        package var wet: [[DoubleComplex]]

        package init(dry: [[DoubleComplex]], wet: [[DoubleComplex]]) {
            self.dry = dry
            self.wet = wet
        }
    }

    private let tables = UnifiedTables.shared
    private let bands20: [Int]
    private let fault: PlantedFault?
    // STP: of the sum of both dry signals, and of the wet signals.
    private var means = [0.0, 0, 0]
    private var references = [Double](repeating: 32768 * 32768, count: 3)
    private var scales = [1.0, 1]
    private var qmfSlotCount = 0
    // GES: of the downmix and of both outputs.
    private var envelopes = [Envelope](repeating: Envelope(), count: 3)

    /// Creates a shaper without history.
    ///
    /// - Parameter bands20: The parameter band of each hybrid band, for 20 bands.
    package init(bands20: [Int], fault: PlantedFault? = nil) {
        self.bands20 = bands20
        self.fault = fault
    }

    private func sum(_ qmfSlot: Column, _ output: Int) -> [DoubleComplex] { zip(qmfSlot.dry[output], qmfSlot.wet[output]).map { $0 + $1 } }

    /// Returns the outputs of a time slot after STP.
    ///
    /// - Parameter isShaped: Whether each output is shaped.
    package mutating func subbandShaped(_ qmfSlot: Column, isShaped: [Bool]) -> [[DoubleComplex]] {
        var energies = [0.0, 0, 0]
        for n in 6...24 {
            let weight = tables.shaperBandPass[n] * tables.shaperGains[n] * tables.shaperBandPass[n] * tables.shaperGains[n]
            let (left, right) = (qmfSlot.dry[0][n + 7], qmfSlot.dry[1][n + 7])
            energies[0] += weight * (fault == .sign ? left - right : left + right).energy
            for output in 0..<2 { energies[1 + output] += weight * qmfSlot.wet[output][n + 7].energy }
        }
        for index in 0..<3 { means[index] = 0.95 * means[index] + 0.05 * energies[index] }
        qmfSlotCount += 1
        if qmfSlotCount == 32 {
            references = means
            qmfSlotCount = 0
        }
        for index in 0..<3 { energies[index] /= references[index] + 1e-9 * 32768 * 32768 }
        return (0..<2).map { output in
            let scale = 0.1 + 0.9 * (energies[0] / (energies[1 + output] + 1e-9)).squareRoot()
            scales[output] = 0.45 * min(max(scale, 1 / 2.82), 2.82) + 0.55 * scales[output]
            guard isShaped[output] else { return sum(qmfSlot, output) }
            return (0..<71).map { k in
                guard k >= (fault == .boundary ? 13 : 12) else { return qmfSlot.dry[output][k] + qmfSlot.wet[output][k] }
                let bandPass = k < 15 ? tables.shaperBandPass[k - (fault == .index ? 6 : 7)] : 1
                return qmfSlot.dry[output][k] + qmfSlot.wet[output][k] * (scales[output] * bandPass)
            }
        }
    }

    /// A normalized envelope.
    private struct Envelope {
        var bands = [Double](repeating: 0, count: 9)
        var all = 0.0
        var norm = 32768.0 * 32768

        mutating func next(_ energies: [Double]) -> Double {
            let (slow, fast) = (exp(-64 / (0.4 * 44_100)), exp(-64 / (0.04 * 44_100)))
            for band in 0..<9 { bands[band] = (1 - slow) * energies[band] + slow * bands[band] }
            all = (1 - slow) * energies.reduce(0, +) / 9 + slow * all
            let envelope = (0..<9).reduce(0.0) { $0 + energies[$1] * all / bands[$1] }
            norm = (1 - fast) * envelope + fast * norm
            return (envelope / norm).squareRoot()
        }
    }

    /// Returns the energies of nine bands.
    private func energies(_ signal: [DoubleComplex]) -> [Double] {
        var result = [Double](repeating: 0, count: 9)
        let first = fault == .index ? 11 : 10
        for k in 0..<71 where (first..<first + 9).contains(bands20[k]) { result[bands20[k] - first] += signal[k].energy }
        return result
    }

    /// Returns the outputs of a time slot after GES.
    ///
    /// - Parameters:
    ///   - downmix: The downmix after its gain.
    ///   - reshaping: The gain of each shaped output.
    package mutating func guided(_ qmfSlot: Column, downmix: [DoubleComplex], reshaping: [Double?]) -> [[DoubleComplex]] {
        let source = envelopes[0].next(energies(downmix))
        return (0..<2).map { output in
            let signal = sum(qmfSlot, output)
            let own = envelopes[1 + output].next(energies(signal))
            guard let reshaping = reshaping[output] else { return signal }
            let first = fault == .boundary ? 7 : 6
            let (dry, wet) = (qmfSlot.dry[output], qmfSlot.wet[output])
            let ratio = (wet[6...].reduce(0) { $0 + $1.energy } / dry[6...].reduce(0) { $0 + $1.energy }).squareRoot()
            let gain = reshaping * source / own
            let scale = gain + ratio * (gain - 1) * (fault == .sign ? -1 : 1)
            return (0..<71).map { k in dry[k] * (k >= first ? min(max(scale, 0.25), 4) : 1) + wet[k] }
        }
    }
}
