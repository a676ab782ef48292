// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// Restores the energy that bands lose in coarse quantization at low bit rates.
///
/// At low bit rates many lines become zero and bands lose up to 12 dB, most in the high frequencies of vowels. As a remedy:
///
/// - In a single channel, a noise-like band that was zeroed is sent as noise of the same energy (ISO/IEC 14496-3:2009, 4.6.13).
/// - The scale factor of a coded band is raised by the energy that its quantized lines lack, in whole steps of 1.5 dB.
///
/// Measured in Tools.md#energy-that-quantisation-takes.
package struct EnergyRestoration {
    /// The first affected band for both window lengths.
    package struct FirstBands {
        package var long: Int

        package var short: Int

        /// Neither long nor short windows are affected.
        package static let none = Self()

        /// Creates first bands.
        ///
        /// By default no band is affected.
        package init(long: Int = .max, short: Int = .max) {
            self.long = long
            self.short = short
        }

        func contains(_ band: Int, layout: borrowing BandLayout) -> Bool {
            layout.sequence == .eightShort ? band % layout.bandsPerGroup >= short : band >= long
        }
    }

    /// The first bands that are sent as noise if they are zeroed.
    var noise: FirstBands

    /// The first bands whose scale factors are raised.
    var raised: FirstBands

    /// Creates a restoration; by default inactive.
    package init(noise: FirstBands = .none, raised: FirstBands = .none) {
        self.noise = noise
        self.raised = raised
    }

    /// The maximum raise of a scale factor.
    private static let maximumRaise = 2

    /// The maximum increase of the difference between adjacent scale factors.
    package var margin: Int { raised.long == .max && raised.short == .max ? 0 : Self.maximumRaise }

    /// The attenuation of substituted noise relative to the lines, in octaves.
    private static let noiseReduction: Float = 1

    /// The minimum flatness of noise-like lines: the mean of √|x| to the fourth power over the mean of x².
    ///
    /// Gaussian noise has 0.46.
    private static let minimumSpectralFlatness: Float = 0.25

    /// Returns whether a zeroed band is sent as noise.
    ///
    /// - Parameters:
    ///   - sums: The sums over the band's lines.
    ///   - hasTNS: Whether the decoder applies TNS to the band, which would also filter the noise.
    package func sendsNoise(_ band: Int, sums: SpectralLines.Band, hasTNS: Bool, layout: borrowing BandLayout) -> Bool {
        guard !hasTNS, noise.contains(band, layout: layout) else { return false }
        let width = Float(layout.width(band))
        let mean = sums.rootSum / width
        return sums.energy > width && mean * mean * mean * mean * width > Self.minimumSpectralFlatness * sums.energy
    }

    /// Returns the noise energy value for each window of a group, in steps of 1.5 dB.
    ///
    /// - Parameters:
    ///   - energy: The energy of the lines of all windows.
    ///   - groupLength: The number of windows.
    package static func noiseValue(energy: Float, groupLength: Int) -> Int16 {
        let wanted = 2 * (PortableMath.log2(energy / Float(groupLength)) - noiseReduction) + 0.5
        return Int16(max(0, min(wanted, 120)))
    }

    /// Returns the raise of a coded band's scale factor.
    ///
    /// - Parameters:
    ///   - quantized: The quantized lines of the frame.
    ///   - scaleFactor: The scale factor used in quantization.
    package func raise(_ band: Int, energy: Float, quantized: Span<Int16>, scaleFactor: Int, layout: borrowing BandLayout) -> Int {
        guard raised.contains(band, layout: layout) else { return 0 }
        let gain = Float(scaleFactor - DequantizationTables.scaleFactorOffset)
        /// Returns the missing energy in steps of 1.5 dB, from the energy of the quantized lines at a step of 1.
        func lostSteps(_ sum: Float) -> Float { 2 * PortableMath.log2(energy / sum) - gain }
        let least = Self.sum(of: quantized, layout.lines(band)) { Self.minimumSquaredPowers(of: $0) }
        // Most bands lack less than one step. This estimate shows it without computing powers.
        guard least > 0, lostSteps(least) >= 1 else { return 0 }
        let sum = Self.sum(of: quantized, layout.lines(band)) { Self.squaredPowers(of: $0) }
        return Int(max(0, min(lostSteps(sum), Float(Self.maximumRaise))))
    }

    @inline(__always)
    private static func sum(of quantized: Span<Int16>, _ lines: Range<Int>, _ energies: (SIMD4<Float>) -> SIMD4<Float>) -> Float {
        var sums = SIMD4<Float>(repeating: 0)
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            sums += energies(SIMD4<Float>(quantized.quartet(at: line)).magnitudes)
        }
        return sums.laneSum
    }

    /// Returns a lower bound of |q|^(8/3), at least 0.89 of it up to 8: the chord of its ratio to q² from 1 to 8.
    private static func minimumSquaredPowers(of magnitudes: SIMD4<Float>) -> SIMD4<Float> {
        magnitudes * magnitudes * (magnitudes.minimum(SIMD4(repeating: 8)) * (3.0 / 7) + SIMD4(repeating: 4.0 / 7))
    }

    /// Returns |q|^(8/3), the energy of four quantized lines at a step of 1.
    private static func squaredPowers(of magnitudes: SIMD4<Float>) -> SIMD4<Float> {
        let one = SIMD4<Float>(repeating: 1)
        // 0 counts as 1 in the logarithm and is excluded from the sum.
        return PortableMath.exp2(PortableMath.log2(magnitudes.maximum(one)) * (8.0 / 3)) * magnitudes.minimum(one)
    }
}
