// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// Restores energy that coarse quantisation takes from bands at low bit rates.
///
/// Where bits are short, lines become zero and bands grow softer, up to 12 dB in the treble of vowels. So
///
/// - in one channel, a band that is left out, and is noise-like, is sent as noise of its energy (ISO/IEC 14496-3:2009, 4.6.13);
/// - the scale factor of a coded band is raised by the whole steps of 1.5 dB that its quantised lines lack.
///
/// Measured in Tools.md#energy-that-quantisation-takes.
package struct EnergyRestoration {
    /// The first bands of windows of both lengths.
    package struct FirstBands {
        /// The first band of a long window.
        package var long: Int

        /// The first band of a short window.
        package var short: Int

        /// No bands.
        package static let none = Self()

        /// Makes first bands, none by default.
        package init(long: Int = .max, short: Int = .max) {
            self.long = long
            self.short = short
        }

        /// Returns whether a band is one of those, or above.
        func include(_ band: Int, layout: borrowing BandLayout) -> Bool {
            layout.sequence == .eightShort ? band % layout.bandsPerGroup >= short : band >= long
        }
    }

    /// The first bands that are sent as noise if they are left out.
    var noise: FirstBands

    /// The first bands whose scale factors are raised.
    var raised: FirstBands

    /// Makes a restoration.
    package init(noise: FirstBands = .none, raised: FirstBands = .none) {
        self.noise = noise
        self.raised = raised
    }

    /// The largest amount by which a scale factor is raised.
    private static let largestRaise = 2

    /// The amount by which neighbouring scale factors may come to differ more.
    package var margin: Int { raised.long == .max && raised.short == .max ? 0 : Self.largestRaise }

    /// The octaves by which noise in place of lines is softer than these.
    private static let noiseReduction: Float = 1

    /// The least evenness of the lines that may be noise: the fourth power of the mean of √|x| to the mean of x²; 0.46 for Gaussian noise.
    private static let leastEvenness: Float = 0.25

    /// Returns whether a band that is left out is sent as noise.
    ///
    /// - Parameters:
    ///   - sums: The sums over the lines of the band.
    ///   - hasTNS: Whether the decoder filters the lines, and would filter the noise.
    package func sendsNoise(_ band: Int, sums: SpectralLines.Band, hasTNS: Bool, layout: borrowing BandLayout) -> Bool {
        guard !hasTNS, noise.include(band, layout: layout) else { return false }
        let width = Float(layout.width(band))
        let mean = sums.rootSum / width
        return sums.energy > width && mean * mean * mean * mean * width > Self.leastEvenness * sums.energy
    }

    /// Returns the value that is sent for the energy of noise in each window of a group, in steps of 1.5 dB.
    ///
    /// - Parameters:
    ///   - energy: The energy of the lines of all windows.
    ///   - groupLength: The number of windows.
    package static func noiseValue(energy: Float, groupLength: Int) -> Int16 {
        let wanted = 2 * (PortableMath.log2(energy / Float(groupLength)) - noiseReduction) + 0.5
        return Int16(max(0, min(wanted, 120)))
    }

    /// Returns the amount by which the scale factor of a coded band is raised.
    ///
    /// - Parameters:
    ///   - energy: The energy of the lines.
    ///   - quantized: The quantised lines of the frame.
    ///   - scaleFactor: The scale factor that they were quantised for.
    package func raise(_ band: Int, energy: Float, quantized: Span<Int16>, scaleFactor: Int, layout: borrowing BandLayout) -> Int {
        guard raised.include(band, layout: layout) else { return 0 }
        let gain = Float(scaleFactor - DequantizationTables.scaleFactorOffset)
        /// Returns the steps of 1.5 dB that an energy of quantised lines, at a step of 1, lacks.
        func lostSteps(_ sum: Float) -> Float { 2 * PortableMath.log2(energy / sum) - gain }
        let least = Self.sum(of: quantized, layout.lines(band)) { Self.leastSquaredPowers(of: $0) }
        // Most bands lack less than a step, which this estimate shows without a power.
        guard least > 0, lostSteps(least) >= 1 else { return 0 }
        let sum = Self.sum(of: quantized, layout.lines(band)) { Self.squaredPowers(of: $0) }
        return Int(max(0, min(lostSteps(sum), Float(Self.largestRaise))))
    }

    /// Returns the sum of the energies of quantised lines.
    @inline(__always)
    private static func sum(of quantized: Span<Int16>, _ lines: Range<Int>, _ energies: (SIMD4<Float>) -> SIMD4<Float>) -> Float {
        var sums = SIMD4<Float>(repeating: 0)
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            sums += energies(SIMD4<Float>(quantized.quartet(at: line)).magnitudes)
        }
        return sums.laneSum
    }

    /// Returns at most |q|^(8/3), and at least 0.89 of it up to 8: the chord of its ratio to q² from 1 to 8.
    private static func leastSquaredPowers(of magnitudes: SIMD4<Float>) -> SIMD4<Float> {
        magnitudes * magnitudes * (magnitudes.minimum(SIMD4(repeating: 8)) * (3.0 / 7) + SIMD4(repeating: 4.0 / 7))
    }

    /// Returns |q|^(8/3), the energies of four quantised lines at a step of 1.
    private static func squaredPowers(of magnitudes: SIMD4<Float>) -> SIMD4<Float> {
        let one = SIMD4<Float>(repeating: 1)
        // 0 counts as 1 in the logarithm, and not at all in the sum.
        return PortableMath.exp2(PortableMath.log2(magnitudes.maximum(one)) * (8.0 / 3)) * magnitudes.minimum(one)
    }
}
