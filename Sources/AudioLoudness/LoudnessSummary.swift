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

    /// Creates a summary.
    ///
    /// - Parameters:
    ///   - integrated: The integrated loudness in LUFS; nil for silence.
    ///   - range: The loudness range in LU.
    ///   - series: The energies of the blocks of the signal.
    ///   - truePeaks: The true peak of each channel as an amplitude.
    init(integrated: Double?, range: Double, series: LoudnessSeries, truePeaks: [Double]) {
        self.integrated = integrated
        self.range = range
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
    static func energy(loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }
}
