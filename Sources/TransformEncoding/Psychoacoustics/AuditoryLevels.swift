// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Computes the levels at which hearing perceives a spectrum: energies in cells of a sixth of a critical band, spread over their neighbours.
///
/// Measured in Search.md#coding-on-trial.
package struct AuditoryLevels: ~Copyable {
    /// The number of cells below half of the sample rate.
    package private(set) var count = 0

    /// The boundaries of the cells, in lines of a long window.
    private var boundaries = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The energy that is added to each cell, below which nothing is perceived.
    private var floors = FixedArray<Float>(repeating: 1, count: Self.capacity)

    /// The energies of the lines: their pseudo-spectrum.
    private var powers: FixedArray<Float>

    /// The energies of the cells.
    private var energies = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The energies of the cells, with what spreads from the others.
    private var excitation = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The number of cells in a critical band.
    package static let cellsPerBark = 6

    /// The most cells: 25 Bark, and two more so that there are whole fours.
    package static let capacity = 152

    /// Computes the cells of a sample rate.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - frameLength: The lines of a long window.
    package init(sampleRate: Int, frameLength: Int) {
        powers = FixedArray(repeating: 0, count: frameLength)
        let hertzPerLine = Double(sampleRate) / Double(2 * frameLength)
        let fullScaleEnergy = PsychoacousticTables.fullScaleEnergy(windowLength: 2 * frameLength)
        var below = 0.0
        for line in 0..<frameLength {
            let above = PsychoacousticTables.bark(ofHertz: Double(line + 1) * hertzPerLine) * Double(Self.cellsPerBark)
            while Double(count + 1) <= above && count < Self.capacity - 2 {
                count += 1
                boundaries[count] = Float(Double(line) + (Double(count) - below) / (above - below))
            }
            below = above
        }
        for cell in 0..<count {
            let (low, high) = (Double(boundaries[cell]), Double(boundaries[cell + 1]))
            let quietEnergy = PsychoacousticTables.quietEnergy(low * hertzPerLine, high * hertzPerLine, fullScaleEnergy: fullScaleEnergy)
            floors[cell] = Float(quietEnergy) * Self.floorShare
        }
    }

    /// Measures the levels of a long window.
    ///
    /// - Parameters:
    ///   - lines: The coefficients of a long window of the sine shape.
    ///   - levels: Receives the level of each cell, as log2 of energy.
    package mutating func measure(_ lines: Span<Float>, into levels: inout MutableSpan<Float>) {
        do {
            var powers = powers.mutableSpan
            PseudoSpectrum.measure(lines, into: &powers)
        }
        spreadEnergies()
        let (excitation, floors) = (excitation.span, floors.span)
        for cell in stride(from: 0, to: Self.capacity, by: 4) {
            levels.store(PortableMath.log2(excitation.vector(at: cell) + floors.vector(at: cell)), at: cell)
        }
    }

    /// Sets the energies of the cells, and the excitation.
    private mutating func spreadEnergies() {
        for cell in 0..<count {
            let energy = energy(ofCell: cell)
            energies[cell] = energy
            excitation[cell] = energy
        }
        let energies = energies.span
        var excitation = excitation.mutableSpan
        for isDownward in [false, true] {
            // What has spread from the cells so far: nearby, and far.
            var (near, far): (Float, Float) = (0, 0)
            for index in 0..<count {
                let cell = isDownward ? count - 1 - index : index
                excitation[cell] += near + far
                near = (near + energies[cell]) * Self.nearDecay
                far = (far + energies[cell] * Self.farShare) * Self.farDecay
            }
        }
    }

    /// Returns the energy of a cell, with its share of the lines at its boundaries.
    private func energy(ofCell cell: Int) -> Float {
        let powers = powers.span
        let (low, high) = (boundaries[cell], boundaries[cell + 1])
        let (first, last) = (Int(low), Int(high))
        if first == last { return powers[first] * (high - low) }
        var sum = powers[first] * (Float(first + 1) - low)
        for line in first + 1..<last { sum += powers[line] }
        return last < powers.count ? sum + powers[last] * (high - Float(last)) : sum
    }

    /// The share of the threshold in quiet below which nothing is perceived: -35 dB.
    private static let floorShare: Float = 3.162_278e-4

    /// The attenuation from cell to cell of what spreads: 20 dB per Bark.
    private static let nearDecay: Float = 0.464_159

    /// The share of the energy that spreads far: -34 dB.
    private static let farShare: Float = 3.981_072e-4

    /// The attenuation from cell to cell of what spreads far: 2 dB per Bark.
    private static let farDecay: Float = 0.926_119
}
