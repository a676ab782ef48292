// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Computes the perceived levels of a spectrum: energies in cells of 1/6 Bark, with spreading between cells.
///
/// Measured in Search.md#coding-on-trial.
package struct AuditoryLevels: ~Copyable {
    /// The number of cells below half the sample rate.
    package private(set) var count = 0

    /// The cell boundaries, in lines of a long window.
    private var boundaries = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The energy added to each cell, the lower limit of perception.
    private var floors = FixedArray<Float>(repeating: 1, count: Self.capacity)

    /// The pseudo-spectrum of the window.
    private var powers: FixedArray<Float>

    private var energies = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The cell energies including the energy spread from other cells.
    private var excitation = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The number of cells per Bark.
    package static let cellsPerBark = 6

    /// The maximum number of cells: 25 Bark, plus two for a multiple of four.
    package static let capacity = 152

    /// Computes the cells for a sample rate.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - frameLength: The line count of a long window.
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
            floors[cell] = Float(quietEnergy) * Self.floorWeight
        }
    }

    /// Measures the levels of a long window.
    ///
    /// - Parameters:
    ///   - lines: The MDCT coefficients of a long sine window.
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

    /// Computes the cell energies and the excitation.
    private mutating func spreadEnergies() {
        let (powers, boundaries) = (powers.span, boundaries.span)
        var energies = energies.mutableSpan
        var excitation = excitation.mutableSpan
        for cell in 0..<count {
            let energy = Self.energy(powers, from: boundaries[cell], to: boundaries[cell + 1])
            energies[cell] = energy
            excitation[cell] = energy
        }
        for isDownward in [false, true] {
            // The energy spread from the cells so far, with the steep and the shallow decay.
            var (near, far): (Float, Float) = (0, 0)
            for index in 0..<count {
                let cell = isDownward ? count - 1 - index : index
                excitation[cell] += near + far
                near = (near + energies[cell]) * Self.nearDecay
                far = (far + energies[cell] * Self.farWeight) * Self.farDecay
            }
        }
    }

    /// Returns the energy between two cell boundaries, at which lines count in proportion.
    private static func energy(_ powers: Span<Float>, from low: Float, to high: Float) -> Float {
        let (first, last) = (Int(low), Int(high))
        if first == last { return powers[first] * (high - low) }
        var sum = powers[first] * (Float(first + 1) - low)
        for line in first + 1..<last { sum += powers[line] }
        return last < powers.count ? sum + powers[last] * (high - Float(last)) : sum
    }

    /// The lower limit of perception relative to the threshold in quiet: -35 dB.
    private static let floorWeight: Float = 3.162_278e-4

    /// The decay per cell of the near spread: 20 dB per Bark.
    private static let nearDecay: Float = 0.464_159

    /// The fraction of the energy that spreads far: -34 dB.
    private static let farWeight: Float = 3.981_072e-4

    /// The decay per cell of the far spread: 2 dB per Bark.
    private static let farDecay: Float = 0.926_119
}
