// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The loudness of a signal as EBU R 128 and ITU-R BS.1770 define it.
public struct LoudnessSummary: Hashable, Sendable {
    /// The integrated loudness in LUFS; nil if no block of 400 ms is above the gate at -70 LUFS, as in silence.
    public var integrated: Double?
    /// The loudness range in LU (EBU Tech 3342).
    public var range: Double
    /// The largest loudness of 400 ms in LUFS; nil for silence.
    public var maximumMomentary: Double?
    /// The largest loudness of 3 s in LUFS; nil for silence.
    public var maximumShortTerm: Double?
    /// The true peak of each channel as an amplitude, of which 1 is full scale.
    public var truePeaks: [Double]

    /// The largest true peak of all channels in dBTP; nil for silence.
    public var truePeak: Double? {
        let largest = truePeaks.max() ?? 0
        return largest > 0 ? 20 * log10(largest) : nil
    }

    /// Creates the summary of the blocks of a signal, and of the true peak of each channel as an amplitude.
    init(_ series: LoudnessSeries, truePeaks: [Double]) {
        integrated = series.integrated
        range = series.range
        maximumMomentary = series.momentary.max().flatMap { $0.isFinite ? Double($0) : nil }
        maximumShortTerm = series.shortTerm.max().flatMap { $0.isFinite ? Double($0) : nil }
        self.truePeaks = truePeaks
    }
}

/// The loudness of a signal over time, in blocks of 100 ms.
public struct LoudnessSeries: Hashable, Sendable {
    /// The duration of a block.
    public static let interval = Duration.milliseconds(100)
    /// The blocks of momentary and of short-term loudness.
    private static let (momentaryBlocks, shortTermBlocks) = (4, 30)

    /// The weighted energy of each block.
    var energies: [Float] = []

    /// Creates a series without blocks.
    package init() {}

    /// The number of blocks.
    public var count: Int { energies.count }

    /// The loudness of the 400 ms up to the end of each block, in LUFS; -∞ for silence, and fewer blocks count at the start.
    public var momentary: [Float] { loudness(blocks: Self.momentaryBlocks) }

    /// The loudness of the 3 s up to the end of each block, in LUFS; -∞ for silence, and fewer blocks count at the start.
    public var shortTerm: [Float] { loudness(blocks: Self.shortTermBlocks) }

    /// Returns the loudness of windows of a number of blocks, which begin with the signal.
    ///
    /// What lies before the signal counts as silence, as in a meter that is switched on with it.
    private func loudness(blocks: Int) -> [Float] {
        energies.indices.map { index in
            let sum = energies[max(0, index - blocks + 1)...index].reduce(0.0) { $0 + Double($1) }
            return sum > 0 ? Float(Self.loudness(energy: sum / Double(blocks))) : -.infinity
        }
    }

    /// Returns the loudness of a weighted energy in LUFS (BS.1770, equation 2).
    static func loudness(energy: Double) -> Double { 10 * log10(energy) - 0.691 }

    /// Returns the weighted energy of a loudness in LUFS.
    private static func energy(loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }

    // MARK: Gates

    /// The energy of the gate for all blocks, -70 LUFS.
    private static let absoluteGate = energy(loudness: -70)

    /// Returns the mean energies of whole windows of a number of blocks, so many blocks apart, that reach the absolute gate.
    private func gatedEnergies(blocks: Int, step: Int) -> [Double] {
        stride(from: blocks, through: energies.count, by: step).map { end in
            energies[end - blocks..<end].reduce(0.0) { $0 + Double($1) } / Double(blocks)
        }.filter { $0 >= Self.absoluteGate }
    }

    /// Returns the energies of at least the mean of all, lowered by a number of decibels.
    private static func gated(_ energies: [Double], decibels: Double) -> [Double] {
        let gate = energies.reduce(0, +) / Double(energies.count) * pow(10, -decibels / 10)
        return energies.filter { $0 >= gate }
    }

    /// The loudness in LUFS of the windows of 400 ms, one in each block, that pass both gates (BS.1770-5, equations 4 to 7); nil if none does.
    var integrated: Double? {
        let passed = Self.gated(gatedEnergies(blocks: Self.momentaryBlocks, step: 1), decibels: 10)
        return passed.isEmpty ? nil : Self.loudness(energy: passed.reduce(0, +) / Double(passed.count))
    }

    /// The distance in LU from the 10th to the 95th percentile of the windows of 3 s, one in each second, that pass both gates (EBU Tech 3342).
    var range: Double {
        let passed = Self.gated(gatedEnergies(blocks: Self.shortTermBlocks, step: 10), decibels: 20).sorted()
        guard !passed.isEmpty else { return 0 }
        let (low, high) = (passed[Int(Double(passed.count - 1) * 0.1 + 0.5)], passed[Int(Double(passed.count - 1) * 0.95 + 0.5)])
        return Self.loudness(energy: high) - Self.loudness(energy: low)
    }
}
