// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Corrects the noise targets of a channel by the audible error that a coding on trial left.
///
/// The error of a critical band is how much the coding changed the levels of its cells (``AuditoryLevels``), relative to how much the levels
/// around vary by themselves. Bands whose error is larger than it has been, or than that of such bands is as a rule, get less noise, and
/// others more, so that the bits remain.
///
/// Measured in EncoderLaboratory.md#coding-on-trial.
struct TargetCorrection {
    /// The error of each critical band in the frame before.
    private var previous = [25 of Float](repeating: 0)

    /// The running mean of log2 of the error of each critical band.
    private var means = [25 of Float](repeating: 0)

    /// The number of frames of the running means, up to ``meanLength``.
    private var frameCount: Float = 0

    /// The octaves of noise that each critical band is given.
    private var octaves = [25 of Float](repeating: 0)

    /// The running mean of the octaves that the lines are given.
    private var meanOctaves: Float = 0

    /// Computes the octaves that each critical band is given.
    ///
    /// - Parameters:
    ///   - original: The levels of the signal in each cell, in octaves of energy.
    ///   - decoded: The levels of the decoded signal.
    ///   - count: The number of cells.
    ///   - leastError: The error that is added to all errors, below which differences hardly count.
    mutating func update(original: Span<Float>, decoded: Span<Float>, count: Int, leastError: Float) {
        // The highest band may have fewer cells.
        let bandCount = (count + AuditoryLevels.cellsPerBark - 1) / AuditoryLevels.cellsPerBark
        let errors = Self.errors(original: original, decoded: decoded, count: count)
        if frameCount == 0 { previous = errors }
        frameCount = min(frameCount + 1, Self.meanLength)
        var excess: Float = 0
        for band in 0..<bandCount {
            let error = PortableMath.log2((previous[band] + errors[band]) * 0.5 + leastError)
            means[band] += (error - means[band]) / frameCount
            let excessOfMean = (means[band] - Self.typicalErrors[band]) * Self.typicalShare
            octaves[band] = error - means[band] + excessOfMean
            excess += excessOfMean
        }
        let center = excess / Float(bandCount)
        for band in 0..<bandCount { octaves[band] = Self.correction(octaves[band] - center) }
        for band in bandCount..<25 { octaves[band] = octaves[bandCount - 1] }
        previous = errors
    }

    /// Returns the octaves that a band is given for so many octaves of excessive error.
    private static func correction(_ excess: Float) -> Float {
        let counted = max(excess.magnitude - tolerance, 0)
        return min(counted * gain, largestCorrection) * (excess > 0 ? -1 : 1)
    }

    /// Returns the error of each critical band: the mean over its cells of the squared difference of levels, over the variance of the levels
    /// of the signal around.
    private static func errors(original: Span<Float>, decoded: Span<Float>, count: Int) -> [25 of Float] {
        var result = [25 of Float](repeating: 0)
        // Over the cells around: the sums of their levels relative to the first one, and of the squares of these.
        var (sum, squares): (Float, Float) = (0, 0)
        for cell in -reach..<count {
            let (entering, leaving) = (cell + reach, cell - reach - 1)
            if entering < count {
                let level = original[entering] - original[0]
                sum += level
                squares += level * level
            }
            if leaving >= 0 {
                let level = original[leaving] - original[0]
                sum -= level
                squares -= level * level
            }
            guard cell >= 0 else { continue }
            let width = Float(min(entering, count - 1) - max(leaving, -1))
            let mean = sum / width
            let variance = max(squares / width - mean * mean, 0)
            let difference = decoded[cell] - original[cell]
            let error = difference * difference / (leastVariance + variance)
            result[cell / AuditoryLevels.cellsPerBark] += error * (1 / Float(AuditoryLevels.cellsPerBark))
        }
        return result
    }

    /// Corrects the noise targets of a frame, after ``update(original:decoded:count:leastError:)``.
    ///
    /// - Parameters:
    ///   - targets: The noise target of each band.
    ///   - isCoded: Whether each band has lines that are sent.
    ///   - barks: The critical band rate of each band of a group.
    mutating func correct(_ targets: inout MutableSpan<Float>, isCoded: Span<Bool>, barks: Span<Float>, layout: borrowing BandLayout) {
        var changes = [120 of Float](repeating: 0)
        var (sum, lineCount): (Float, Float) = (0, 0)
        for band in 0..<layout.count {
            changes[band] = octaves(atBark: barks[band % layout.bandsPerGroup])
            guard isCoded[band] else { continue }
            sum += changes[band] * Float(layout.width(band))
            lineCount += Float(layout.width(band))
        }
        if lineCount > 0 { meanOctaves += (sum / lineCount - meanOctaves) / frameCount }
        for band in 0..<layout.count { targets[band] *= PortableMath.exp2(changes[band] - meanOctaves) }
    }

    /// Returns the octaves at a critical band rate, by interpolation between the middles of the critical bands.
    private func octaves(atBark bark: Float) -> Float {
        let position = min(max(bark - 0.5, 0), 23.999)
        let band = Int(position)
        return octaves[band] + (octaves[band + 1] - octaves[band]) * (position - Float(band))
    }

    /// log2 of the error of each critical band as a rule, as a mean over clips at 128 kb/s; only the differences between bands count.
    ///
    /// The highest band, which not all clips have, is set by its effect: at -9.5 ViSQOL falls at 128 kb/s.
    private static let typicalErrors: [25 of Float] = [
        -13.2, -12.9, -12.4, -12.0, -11.6, -11.3, -11.1, -11.0, -10.8, -10.7, -10.6, -10.4, -10.3, -10.2, -10.1, -10.1, -9.9, -9.9, -9.8,
        -9.6, -9.6, -9.6, -9.6, -10.0, -12.0,
    ]

    /// The share of the excess of a band's mean error over the typical one.
    private static let typicalShare: Float = 0.75

    /// The octaves of noise for an octave of excessive error.
    private static let gain: Float = 0.35

    /// The octaves of excessive error that are tolerated.
    private static let tolerance: Float = 0.3

    /// The largest correction, in octaves of noise.
    private static let largestCorrection: Float = 2

    /// The frames over which errors and corrections are averaged: 1.4 s.
    private static let meanLength: Float = 64

    /// The cells on either side over which the variance of levels is measured.
    private static let reach = 5

    /// The variance that is added to that of the levels, in square octaves.
    private static let leastVariance: Float = 4
}
