// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The loudness of a signal according to EBU R 128 and ITU-R BS.1770.
public struct LoudnessSummary: Hashable, Sendable {
    /// The integrated loudness, in LUFS; `nil` if no 400 ms block passes the gate at -70 LUFS.
    public var integrated: Double?
    /// The loudness range, in LU (EBU Tech 3342).
    public var range: Double
    /// The maximum loudness over 400 ms, in LUFS; `nil` for silence.
    public var maximumMomentary: Double?
    /// The maximum loudness over 3 s, in LUFS; `nil` for silence.
    public var maximumShortTerm: Double?
    /// The true peak amplitude of each channel.
    ///
    /// 1 is full scale.
    public var truePeaks: [Double]

    /// Whether the signal is shorter than one 400 ms block, so that it has no integrated loudness.
    package let isTooShort: Bool

    /// The maximum true peak of all channels, in dBTP; `nil` for silence.
    public var truePeak: Double? {
        let largest = truePeaks.max() ?? 0
        return largest > 0 ? 20 * log10(largest) : nil
    }

    /// Creates the summary of a series and the true peak amplitudes of the channels.
    init(_ series: LoudnessSeries, truePeaks: [Double]) {
        integrated = series.integrated
        isTooShort = series.isTooShort
        range = series.range
        maximumMomentary = series.momentary.max().flatMap { $0.isFinite ? Double($0) : nil }
        maximumShortTerm = series.shortTerm.max().flatMap { $0.isFinite ? Double($0) : nil }
        self.truePeaks = truePeaks
    }
}

/// The loudness of a signal over time, in 100 ms blocks.
public struct LoudnessSeries: Hashable, Sendable {
    /// The block duration, 100 ms.
    public static let interval = Duration.milliseconds(100)
    /// The window lengths of momentary and short-term loudness, in blocks.
    private static let (momentaryBlocks, shortTermBlocks) = (4, 30)

    /// The weighted energy of each block.
    var energies: [Float] = []

    package init() {}

    /// The number of blocks.
    public var count: Int { energies.count }

    /// Whether there are fewer blocks than a window of momentary loudness has.
    var isTooShort: Bool { count < Self.momentaryBlocks }

    /// The loudness over the 400 ms that end with each block, in LUFS; -∞ for silence.
    ///
    /// Time before the signal counts as silence.
    public var momentary: [Float] { loudness(blocks: Self.momentaryBlocks) }

    /// The loudness over the 3 s that end with each block, in LUFS; -∞ for silence.
    ///
    /// Time before the signal counts as silence.
    public var shortTerm: [Float] { loudness(blocks: Self.shortTermBlocks) }

    /// Returns the loudness over the last `blocks` blocks, for each block.
    ///
    /// Time before the signal counts as silence, as in a meter that starts with the signal.
    private func loudness(blocks: Int) -> [Float] {
        energies.indices.map { index in
            let sum = energies[max(0, index - blocks + 1)...index].reduce(0.0) { $0 + Double($1) }
            return sum > 0 ? Float(Self.loudness(energy: sum / Double(blocks))) : -.infinity
        }
    }

    /// Converts weighted energy to LUFS (BS.1770, equation 2).
    static func loudness(energy: Double) -> Double { 10 * log10(energy) - 0.691 }

    /// Converts LUFS to weighted energy.
    private static func energy(loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }

    // MARK: Gates

    /// The energy of the absolute gate, -70 LUFS.
    private static let absoluteGate = energy(loudness: -70)

    /// Returns the mean energies of complete windows that reach the absolute gate.
    ///
    /// Windows span `blocks` blocks and start every `step` blocks.
    private func gatedEnergies(blocks: Int, step: Int) -> [Double] {
        stride(from: blocks, through: energies.count, by: step).map { end in
            energies[end - blocks..<end].reduce(0.0) { $0 + Double($1) } / Double(blocks)
        }.filter { $0 >= Self.absoluteGate }
    }

    /// Returns the energies at or above the mean minus `decibels`.
    private static func gated(_ energies: [Double], decibels: Double) -> [Double] {
        let gate = energies.reduce(0, +) / Double(energies.count) * pow(10, -decibels / 10)
        return energies.filter { $0 >= gate }
    }

    /// The loudness, in LUFS, of the 400 ms windows (one per block) that pass both gates (BS.1770-5, equations 4 to 7); `nil` if none does.
    var integrated: Double? { Self.integrated(of: [self]) }

    /// Returns the loudness, in LUFS, of the 400 ms windows of several signals together; `nil` if none passes both gates.
    package static func integrated(of signals: [LoudnessSeries]) -> Double? {
        let passed = gated(signals.flatMap { $0.gatedEnergies(blocks: momentaryBlocks, step: 1) }, decibels: 10)
        return passed.isEmpty ? nil : loudness(energy: passed.reduce(0, +) / Double(passed.count))
    }

    /// The distance, in LU, between the 10th and 95th percentile of the 3 s windows (one per second) that pass both gates (EBU Tech 3342).
    var range: Double {
        let passed = Self.gated(gatedEnergies(blocks: Self.shortTermBlocks, step: 10), decibels: 20).sorted()
        guard !passed.isEmpty else { return 0 }
        let (low, high) = (passed[Int(Double(passed.count - 1) * 0.1 + 0.5)], passed[Int(Double(passed.count - 1) * 0.95 + 0.5)])
        return Self.loudness(energy: high) - Self.loudness(energy: low)
    }
}
