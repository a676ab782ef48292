// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Temporal shaping of the MPEG Surround 2-1-2 outputs: STP and GES (ISO/IEC 23003-1).
struct SurroundShaper: ~Copyable {
    /// STP: the mean energies of the dry signal and both wet signals.
    private var means = SIMD4<Float>(repeating: 0)
    /// STP: the reference energies.
    private var references = SIMD4<Float>(repeating: 32768 * 32768)
    /// STP: the number of time slots since the references were updated.
    private var count = 0
    /// STP: the last scale of both outputs.
    private var scales = SIMD2<Float>(1, 1)
    /// GES: the envelopes of the downmix and both outputs.
    private var envelopes = FixedArray(repeating: Envelope(), count: 3)

    /// The first hybrid band shaped by STP.
    private static let firstBand = 12
    /// The first hybrid band scaled by GES.
    private static let firstScaledBand = 6

    init() {}

    // MARK: STP

    /// Returns the STP scales of the wet signals in a time slot.
    mutating func scales(dry dryPair: borrowing SurroundPair, wet wetPair: borrowing SurroundPair, qmfSlot: Int) -> SIMD2<Float> {
        var energies = SIMD4<Float>(repeating: 0)
        for index in 6..<25 {
            let band = index + 7
            let weight = SurroundTables.shapingBandPass[index] * SurroundTables.shapingFactors[index]
            let dry = dryPair[band, qmfSlot].lowHalf + dryPair[band, qmfSlot].highHalf
            let (left, right) = (wetPair[band, qmfSlot].lowHalf, wetPair[band, qmfSlot].highHalf)
            energies += SIMD4(repeating: weight * weight) * SIMD4((dry * dry).sum(), (left * left).sum(), (right * right).sum(), 0)
        }
        means = means * SIMD4(repeating: 0.95) + energies * SIMD4(repeating: 0.05)
        count += 1
        if count == 32 {
            count = 0
            references = means
        }
        energies /= references + SIMD4(repeating: 1e-9 * 32768 * 32768)
        for channel in 0..<2 {
            let ratio = (energies.x / (energies[channel + 1] + 1e-9)).squareRoot()
            let damped = max(1 / 2.82, min(2.82, 0.1 + 0.9 * ratio))
            scales[channel] = 0.45 * damped + 0.55 * scales[channel]
        }
        return scales
    }

    /// Adds a scaled wet signal to a dry signal in a time slot.
    static func add(_ wet: borrowing SurroundPair, to dry: inout SurroundPair, _ channel: Int, qmfSlot: Int, scale: Float) {
        for band in 0..<SurroundTables.hybridBandCount {
            var factor: Float = 1
            if band >= firstBand { factor = band < 15 ? scale * SurroundTables.shapingBandPass[band - 7] : scale }
            dry.set(dry.value(channel, band, qmfSlot) + wet.value(channel, band, qmfSlot) * factor, channel, band, qmfSlot)
        }
    }

    // MARK: GES

    private struct Envelope {
        /// The slow mean energies of nine bands.
        var means = SIMD16<Float>(repeating: 0)
        /// The slow mean energy of all nine bands.
        var mean: Float = 0
        /// The slow mean of the envelope.
        var norm: Float = 32768 * 32768

        mutating func next(_ energies: SIMD16<Float>) -> Float {
            let (slow, fast): (Float, Float) = (0.996_378_46, 0.964_369_09)
            mean = (1 - slow) * energies.sum() / 9 + slow * mean
            var sum: Float = 0
            for band in 0..<9 {
                means[band] = (1 - slow) * energies[band] + slow * means[band]
                sum += means[band] > 0 ? energies[band] * mean / means[band] : 0
            }
            norm = (1 - fast) * sum + fast * norm
            return norm > 0 ? (sum / norm).squareRoot() : 0
        }
    }

    /// Returns a signal's envelope value for the next time slot.
    ///
    /// - Parameter index: 0 for the downmix, 1 and 2 for the outputs.
    mutating func envelope(_ index: Int, _ energies: SIMD16<Float>) -> Float { envelopes[index].next(energies) }

    /// Returns the energies of bands 10 to 18 (of 20) in a time slot.
    static func energies(_ value: (_ band: Int) -> SIMD2<Float>) -> SIMD16<Float> {
        let map = SurroundTables.mapStart(bandCount: 20)
        var result = SIMD16<Float>(repeating: 0)
        for band in 12..<42 {
            let value = value(band)
            result[Int(SurroundTables.bandMaps[map + band]) - 10] += (value * value).sum()
        }
        return result
    }

    /// Adds a wet signal to a dry signal in a time slot.
    ///
    /// The dry signal is scaled so that the sum has the given gain.
    static func add(_ wet: borrowing SurroundPair, to dry: inout SurroundPair, _ channel: Int, qmfSlot: Int, gain: Float) {
        let bands = firstScaledBand..<SurroundTables.hybridBandCount
        let energy = dry.energy(channel, bands, qmfSlot)
        let ratio = energy > 0 ? (wet.energy(channel, bands, qmfSlot) / energy).squareRoot() : 0
        let factor = max(0.25, min(4, gain + ratio * (gain - 1)))
        for band in 0..<SurroundTables.hybridBandCount {
            let scaled = dry.value(channel, band, qmfSlot) * (band >= firstScaledBand ? factor : 1)
            dry.set(scaled + wet.value(channel, band, qmfSlot), channel, band, qmfSlot)
        }
    }
}
