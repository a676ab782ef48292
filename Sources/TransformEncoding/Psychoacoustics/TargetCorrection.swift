// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Corrects the noise targets of a channel by the audible error that a coding on trial left.
///
/// The error of a critical band is how much the coding changed the levels of its cells (``AuditoryLevels``), relative to how much the levels
/// around vary by themselves. An octave less noise takes half a bit from each line that is sent, so the sum of all errors is least where they
/// are proportional to the number of these lines. Bands with a larger error get less noise, and others more, so that the bits remain.
///
/// Measured in Search.md#coding-on-trial.
package struct TargetCorrection: ~Copyable {
    /// The error of each critical band in the frame before.
    private var previous = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The error of each critical band in the current frame.
    private var errors = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The running mean of log2 of the error of each critical band.
    private var means = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The running mean of log2 of the number of lines of each critical band that the trial sent.
    private var meanLineCounts = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The number of lines of each critical band that the current trial sent, and ``fewLines``.
    private var lineCounts = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The number of frames of the running means, up to ``meanLength``.
    private var frameCount: Float = 0

    /// The octaves of noise that each critical band is given.
    private var octaves = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The octaves of noise that each band is given, before their mean is subtracted.
    private var changes = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The running mean of the octaves that the lines are given.
    private var meanOctaves: Float = 0

    /// The frames over which errors and corrections are averaged: 1.4 s at 48 kHz.
    private let meanLength: Float

    /// The number of critical bands.
    private static let bandCount = 25

    /// Makes the correction of a channel with frames of so many samples.
    package init(frameLength: Int) { meanLength = 64 * 1024 / Float(frameLength) }

    /// Discards the frames before.
    package mutating func reset() {
        previous.fill(0)
        means.fill(0)
        meanLineCounts.fill(0)
        octaves.fill(0)
        frameCount = 0
        meanOctaves = 0
    }

    /// Starts a frame with the lines that its coding on trial sent; ``update(original:decoded:count:leastError:)`` follows.
    ///
    /// - Parameters:
    ///   - lineCounts: The number of lines of each band that the trial sent.
    ///   - barks: The critical band rate of each band of a group.
    package mutating func startFrame(lineCounts: Span<Float>, barks: Span<Float>, layout: borrowing BandLayout) {
        frameCount = min(frameCount + 1, meanLength)
        self.lineCounts.fill(Self.fewLines)
        var counts = self.lineCounts.mutableSpan
        for band in 0..<layout.count {
            let (lower, share) = Self.position(atBark: barks[band % layout.bandsPerGroup])
            counts[lower] += lineCounts[band] * (1 - share)
            counts[lower + 1] += lineCounts[band] * share
        }
        for band in 0..<Self.bandCount {
            meanLineCounts[band] += (PortableMath.log2(counts[band]) - meanLineCounts[band]) / frameCount
        }
    }

    /// Computes the octaves that each critical band is given.
    ///
    /// - Parameters:
    ///   - original: The levels of the signal in each cell, in octaves of energy.
    ///   - decoded: The levels of the decoded signal.
    ///   - count: The number of cells.
    ///   - leastError: The error that is added to all errors, below which differences hardly count.
    package mutating func update(original: Span<Float>, decoded: Span<Float>, count: Int, leastError: Float) {
        // The highest band may have fewer cells.
        let bandCount = (count + AuditoryLevels.cellsPerBark - 1) / AuditoryLevels.cellsPerBark
        errors.fill(0)
        do {
            var errors = errors.mutableSpan
            Self.addErrors(original: original, decoded: decoded, count: count, to: &errors)
        }
        if frameCount == 1 { previous.copy(errors) }
        var sum: Float = 0
        for band in 0..<bandCount {
            let error = PortableMath.log2((previous[band] + errors[band]) * 0.5 + leastError)
            means[band] += (error - means[band]) / frameCount
            let excessOfMean = means[band] - meanLineCounts[band] - Self.lineErrors[band]
            octaves[band] = error - means[band] + excessOfMean * Self.meanShare
            sum += octaves[band]
        }
        let center = sum / Float(bandCount)
        for band in 0..<bandCount { octaves[band] = Self.correction(octaves[band] - center) }
        for band in bandCount..<Self.bandCount { octaves[band] = octaves[bandCount - 1] }
        previous.copy(errors)
    }

    /// Returns the octaves that a band is given for so many octaves of excessive error.
    private static func correction(_ excess: Float) -> Float {
        let counted = max(excess.magnitude - tolerance, 0)
        return min(counted * gain, largestCorrection) * (excess > 0 ? -1 : 1)
    }

    /// Adds the error of each critical band to zeros: the mean over its cells of the squared difference of levels, over the variance of the
    /// levels of the signal around.
    private static func addErrors(original: Span<Float>, decoded: Span<Float>, count: Int, to errors: inout MutableSpan<Float>) {
        // Over the cells around: the sums of their levels relative to the first one, and of the squares of these.
        var (sum, squares): (Float, Float) = (0, 0)
        for cell in -halfWidth..<count {
            let (entering, leaving) = (cell + halfWidth, cell - halfWidth - 1)
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
            errors[cell / AuditoryLevels.cellsPerBark] += error * (1 / Float(AuditoryLevels.cellsPerBark))
        }
    }

    /// Corrects the noise targets of a frame, after ``update(original:decoded:count:leastError:)``.
    ///
    /// - Parameters:
    ///   - targets: The noise target of each band.
    ///   - lineCounts: The number of lines of each band that the trial sent.
    ///   - barks: The critical band rate of each band of a group.
    package mutating func correct(
        _ targets: inout MutableSpan<Float>, lineCounts: Span<Float>, barks: Span<Float>, layout: borrowing BandLayout
    ) {
        var (sum, lineCount): (Float, Float) = (0, 0)
        for band in 0..<layout.count {
            changes[band] = octaves(atBark: barks[band % layout.bandsPerGroup])
            guard lineCounts[band] > 0 else { continue }
            sum += changes[band] * Float(layout.width(band))
            lineCount += Float(layout.width(band))
        }
        if lineCount > 0 { meanOctaves += (sum / lineCount - meanOctaves) / frameCount }
        for band in 0..<layout.count { targets[band] *= PortableMath.exp2(changes[band] - meanOctaves) }
    }

    /// Returns the octaves at a critical band rate, by interpolation between the middles of the critical bands.
    private func octaves(atBark bark: Float) -> Float {
        let (lower, share) = Self.position(atBark: bark)
        return octaves[lower] + (octaves[lower + 1] - octaves[lower]) * share
    }

    /// Returns the critical band with the middle below a critical band rate, up to the last but one, and the share of the next one.
    @inline(never)
    private static func position(atBark bark: Float) -> (lower: Int, share: Float) {
        let position = min(max(bark - 0.5, 0), 23.999)
        let lower = Int(position)
        return (lower, position - Float(lower))
    }

    /// log2 of the error of each critical band that is allowed for each line; only the differences between bands count.
    ///
    /// They were found as the errors of each band as a rule, in the mean of clips at 128 kb/s, and tilted by 0.7 octaves at both ends. The
    /// highest band, which not all clips have, is set by its effect.
    private static let lineErrors: ContiguousArray<Float> = [
        -13.9, -13.5, -13.0, -12.5, -12.1, -11.7, -11.4, -11.3, -11.0, -10.9, -10.7, -10.5, -10.3, -10.1, -10.0, -9.9, -9.7, -9.6, -9.5,
        -9.2, -9.1, -9.1, -9.0, -9.4, -11.3,
    ]

    /// The share of the excess of a band's mean error.
    private static let meanShare: Float = 0.75

    /// The number of lines that is added to that of each critical band, so that a band without lines does not take all bits.
    private static let fewLines: Float = 4

    /// The octaves of noise for an octave of excessive error.
    private static let gain: Float = 0.35

    /// The octaves of excessive error that are tolerated.
    private static let tolerance: Float = 0.3

    /// The largest correction, in octaves of noise.
    private static let largestCorrection: Float = 2

    /// The cells on either side over which the variance of levels is measured.
    private static let halfWidth = 5

    /// The variance that is added to that of the levels, in square octaves.
    private static let leastVariance: Float = 4
}
