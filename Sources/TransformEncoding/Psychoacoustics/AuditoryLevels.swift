// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Computes the perceived levels of a signal and of its decoded version: energies in cells of 1/6 Bark, with spreading between cells.
///
/// Measured in Search.md#coding-on-trial.
package struct AuditoryLevels: ~Copyable {
    /// The number of cells below half the sample rate.
    package private(set) var count = 0

    /// The line that contains each cell boundary.
    private var lines = FixedArray<Int>(repeating: 0, count: Self.capacity)

    /// The part of that line below the boundary.
    private var shares = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The energy added to each cell, the lower limit of perception.
    private var floors = FixedArray<Float>(repeating: 1, count: Self.capacity)

    /// The threshold in quiet of each cell, as log2 of energy.
    private var quietLevels = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The pseudo-spectrum of the window, and four zeros.
    private var powers: FixedArray<Float>

    /// The level of each cell of the signal, as log2 of energy.
    package private(set) var original = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The level of each cell of the decoded signal, as log2 of energy.
    package private(set) var decoded = FixedArray<Float>(repeating: 0, count: Self.capacity)

    /// The cell energies of both signals, without the energy spread from other cells.
    private var originalEnergies = FixedArray<Float>(repeating: 0, count: Self.capacity)

    private var decodedEnergies = FixedArray<Float>(repeating: 0, count: Self.capacity)

    package static let cellsPerBark = 6

    /// The maximum number of cells: 25 Bark, plus two for a multiple of four.
    package static let capacity = 152

    /// Computes the cells for a sample rate.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - frameLength: The line count of a long window.
    package init(sampleRate: Int, frameLength: Int) {
        powers = FixedArray(repeating: 0, count: frameLength + 4)
        let hertzPerLine = Double(sampleRate) / Double(2 * frameLength)
        let fullScaleEnergy = PsychoacousticTables.fullScaleEnergy(windowLength: 2 * frameLength)
        var below = 0.0
        for line in 0..<frameLength {
            let above = PsychoacousticTables.bark(ofHertz: Double(line + 1) * hertzPerLine) * Double(Self.cellsPerBark)
            while Double(count + 1) <= above && count < Self.capacity - 2 {
                count += 1
                let boundary = Double(line) + (Double(count) - below) / (above - below)
                lines[count] = Int(boundary)
                shares[count] = Float(boundary - Double(Int(boundary)))
            }
            below = above
        }
        for cell in 0..<count {
            let (low, high) = (Double(lines[cell]) + Double(shares[cell]), Double(lines[cell + 1]) + Double(shares[cell + 1]))
            let quietEnergy = PsychoacousticTables.quietEnergy(low * hertzPerLine, high * hertzPerLine, fullScaleEnergy: fullScaleEnergy)
            floors[cell] = Float(quietEnergy) * Self.floorWeight
            quietLevels[cell] = PortableMath.log2(Float(quietEnergy))
        }
    }

    /// Measures ``original`` and ``decoded``.
    ///
    /// - Parameters:
    ///   - original: The MDCT coefficients of the signal in a long window.
    ///   - decoded: The coefficients of the decoded signal in the same window.
    package mutating func measure(original: Span<Float>, decoded: Span<Float>) {
        var powers = powers.mutableSpan
        var energies = originalEnergies.mutableSpan
        PseudoSpectrum.measure(original, into: &powers)
        Self.sumPowers(powers.span, lines: lines.span, shares: shares.span, count: count, into: &energies)
        energies = decodedEnergies.mutableSpan
        PseudoSpectrum.measure(decoded, into: &powers)
        Self.sumPowers(powers.span, lines: lines.span, shares: shares.span, count: count, into: &energies)
        var original = self.original.mutableSpan
        var decoded = self.decoded.mutableSpan
        Self.spread(originalEnergies.span, decodedEnergies.span, count: count, into: &original, &decoded)
        for cell in stride(from: 0, to: Self.capacity, by: 4) {
            let floor = floors.span.vector(at: cell)
            original.store(PortableMath.log2(original.vector(at: cell) + floor), at: cell)
            decoded.store(PortableMath.log2(decoded.vector(at: cell) + floor), at: cell)
        }
    }

    /// Returns the errors over the cells where the signal is audible, or `nil` if it is not: the mean squared difference of levels, in square
    /// octaves, and log2 of the mean ratio of the noise to the signal's level.
    ///
    /// Call it after ``measure(original:decoded:)`` with the same coefficients.
    package mutating func errors(original lines: Span<Float>, decoded decodedLines: Span<Float>) -> (level: Float, noise: Float)? {
        var powers = powers.mutableSpan
        for line in stride(from: 0, to: lines.count, by: 4) {
            let difference = decodedLines.vector(at: line) - lines.vector(at: line)
            powers.store(difference * difference, at: line)
        }
        var noise = decodedEnergies.mutableSpan
        Self.sumPowers(powers.span, lines: self.lines.span, shares: shares.span, count: count, into: &noise)
        var (levelSum, noiseSum, audibleCount): (Float, Float, Float) = (0, 0, 0)
        for cell in 0..<count where original[cell] > quietLevels[cell] + 1 {
            let difference = max(decoded[cell], quietLevels[cell]) - original[cell]
            levelSum += difference * difference
            noiseSum += max(noise[cell], 0) * PortableMath.exp2(-original[cell])
            audibleCount += 1
        }
        guard audibleCount > 0 else { return nil }
        return (levelSum / audibleCount, PortableMath.log2(noiseSum / audibleCount + Self.leastNoise))
    }

    /// Computes the cell energies including the energy spread from other cells, for both signals at once.
    private static func spread(
        _ original: Span<Float>, _ decoded: Span<Float>, count: Int, into originalSums: inout MutableSpan<Float>,
        _ decodedSums: inout MutableSpan<Float>
    ) {
        // The energy spread from the cells so far, with the steep and the shallow decay.
        var (near, far) = (SIMD2<Float>(repeating: 0), SIMD2<Float>(repeating: 0))
        for cell in 0..<count {
            let energy = SIMD2(original[cell], decoded[cell])
            let sum = energy + near + far
            originalSums[cell] = sum.x
            decodedSums[cell] = sum.y
            near = (near + energy) * nearDecay
            far = (far + energy * farWeight) * farDecay
        }
        (near, far) = (SIMD2(repeating: 0), SIMD2(repeating: 0))
        for cell in (0..<count).reversed() {
            let energy = SIMD2(original[cell], decoded[cell])
            let sum = near + far
            originalSums[cell] += sum.x
            decodedSums[cell] += sum.y
            near = (near + energy) * nearDecay
            far = (far + energy * farWeight) * farDecay
        }
    }

    /// Sums the powers of the lines in each cell.
    ///
    /// A boundary divides its line.
    private static func sumPowers(
        _ powers: Span<Float>, lines: Span<Int>, shares: Span<Float>, count: Int, into energies: inout MutableSpan<Float>
    ) {
        var line = lines[0]
        var below = powers[line] * shares[0]
        for cell in 0..<count {
            let last = lines[cell + 1]
            var sum = -below
            while line < last {
                sum += powers[line]
                line &+= 1
            }
            below = powers[last] * shares[cell + 1]
            energies[cell] = sum + below
        }
    }

    /// The lower limit of perception relative to the threshold in quiet: -35 dB.
    private static let floorWeight: Float = 3.162_278e-4

    /// The ratio of noise added so that it has a logarithm: -90 dB.
    private static let leastNoise: Float = 1e-9

    /// The decay per cell of the near spread: 20 dB per Bark.
    private static let nearDecay: Float = 0.464_159

    /// The fraction of the energy that spreads far: -34 dB.
    private static let farWeight: Float = 3.981_072e-4

    /// The decay per cell of the far spread: 2 dB per Bark.
    private static let farDecay: Float = 0.926_119
}
