// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Corrects the noise targets of a channel by the audible error of a trial encode.
///
/// The error of a critical band is the level change of its cells (``AuditoryLevels``) relative to the variance of nearby levels. One
/// octave less noise costs half a bit per sent line, so the total error is smallest if errors are proportional to the line counts.
/// Bands with larger errors get less noise and the others more, which keeps the bit count.
///
/// Measured in Search.md#coding-on-trial.
package struct TargetCorrection: ~Copyable {
    /// The previous frame's error of each critical band.
    private var previous = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The current frame's error of each critical band.
    private var errors = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The running mean of each critical band's log2 error.
    private var means = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The running mean of log2 of each critical band's line count in trial encodes.
    private var meanLineCounts = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The line count of each critical band in the current trial encode, plus ``fewLines``.
    private var lineCounts = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// Whether the current trial encode sent lines of each scale factor band.
    private var hasLines = FixedArray<Bool>(repeating: false, count: BandLayout.maximumCount)

    /// The number of frames in the running means, up to ``meanLength``.
    private var frameCount: Float = 0

    /// The correction of each critical band, in octaves of noise.
    private var octaves = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// The correction of each scale factor band, in octaves of noise, before the mean is subtracted.
    private var changes = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The running mean of the lines' corrections, in octaves.
    private var meanOctaves: Float = 0

    /// The weight of a frame's own error relative to the mean error.
    private let ownWeight: Float

    /// The noise added to all bands, in octaves, so that the correction keeps the bit count.
    ///
    /// 38 clips at 48, 64, 96, 128 and 192 kbit/s need 0.8 % more bits without it.
    private let raise: Float

    /// log2 of each critical band's permitted error per line.
    private let lineErrors: ContiguousArray<Float>

    /// The averaging length for errors and corrections, in frames: 1.4 s at 48 kHz.
    private let meanLength: Float

    private static let bandCount = 25

    /// Creates the correction of a channel.
    ///
    /// - Parameters:
    ///   - frameLength: The number of samples per frame.
    ///   - isPredicted: Whether the errors are predicted. They count less, because they are less exact.
    package init(frameLength: Int, isPredicted: Bool = false) {
        meanLength = 64 * 1024 / Float(frameLength)
        ownWeight = isPredicted ? 0.5 : 1
        raise = isPredicted ? 0 : 0.025
        lineErrors = isPredicted ? Self.predictedLineErrors : Self.trialLineErrors
    }

    package mutating func reset() {
        previous.fill(0)
        means.fill(0)
        meanLineCounts.fill(0)
        octaves.fill(0)
        frameCount = 0
        meanOctaves = 0
    }

    /// Starts a frame with the line counts of its trial encode.
    ///
    /// Call ``update(original:decoded:count:minimumError:)`` next.
    ///
    /// - Parameters:
    ///   - lineCounts: The number of lines that the trial sent, per band.
    ///   - barks: The critical band rate of each band of a group, in Bark.
    package mutating func startFrame(lineCounts: Span<Float>, barks: Span<Float>, layout: borrowing BandLayout) {
        frameCount = min(frameCount + 1, meanLength)
        self.lineCounts.fill(Self.fewLines)
        hasLines.fill(false)
        var counts = self.lineCounts.mutableSpan
        for band in 0..<layout.count {
            hasLines[band] = lineCounts[band] > 0
            let (lower, share) = Self.position(atBark: barks[band % layout.bandsPerGroup])
            counts[lower] += lineCounts[band] * (1 - share)
            counts[lower + 1] += lineCounts[band] * share
        }
        for band in 0..<Self.bandCount {
            meanLineCounts[band] += (PortableMath.log2(counts[band]) - meanLineCounts[band]) / frameCount
        }
    }

    /// Computes the correction of each critical band.
    ///
    /// - Parameters:
    ///   - original: The cell levels of the signal, in octaves of energy.
    ///   - decoded: The cell levels of the decoded signal.
    ///   - minimumError: The value added to all errors, below which differences have little effect.
    package mutating func update(original: Span<Float>, decoded: Span<Float>, count: Int, minimumError: Float) {
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
            let error = PortableMath.log2((previous[band] + errors[band]) * 0.5 + minimumError)
            means[band] += (error - means[band]) / frameCount
            let excessOfMean = means[band] - meanLineCounts[band] - lineErrors[band]
            octaves[band] = (error - means[band]) * ownWeight + excessOfMean * Self.meanWeight
            sum += octaves[band]
        }
        let center = sum / Float(bandCount)
        for band in 0..<bandCount { octaves[band] = Self.correction(octaves[band] - center) }
        for band in bandCount..<Self.bandCount { octaves[band] = octaves[bandCount - 1] }
        previous.copy(errors)
    }

    /// Returns a band's correction for an excess error, both in octaves.
    private static func correction(_ excess: Float) -> Float {
        let counted = max(excess.magnitude - tolerance, 0)
        return min(counted * gain, maximumCorrection) * (excess > 0 ? -1 : 1)
    }

    /// Adds the error of each critical band to `errors`: the mean over its cells of the squared level difference, divided by the variance
    /// of the signal's nearby levels.
    private static func addErrors(original: Span<Float>, decoded: Span<Float>, count: Int, to errors: inout MutableSpan<Float>) {
        // Sums over nearby cells: levels relative to the first cell, and their squares.
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
            let error = difference * difference / (minimumVariance + variance)
            errors[cell / AuditoryLevels.cellsPerBark] += error * (1 / Float(AuditoryLevels.cellsPerBark))
        }
    }

    /// Corrects the noise targets of a frame, after ``update(original:decoded:count:minimumError:)`` for this frame or a previous one.
    ///
    /// - Parameter barks: The critical band rate of each band of a group, in Bark.
    package mutating func correct(_ targets: inout MutableSpan<Float>, barks: Span<Float>, layout: borrowing BandLayout) {
        guard frameCount > 0 else { return }
        var (sum, lineCount): (Float, Float) = (0, 0)
        for band in 0..<layout.count {
            changes[band] = octaves(atBark: barks[band % layout.bandsPerGroup])
            guard hasLines[band] else { continue }
            sum += changes[band] * Float(layout.width(band))
            lineCount += Float(layout.width(band))
        }
        if lineCount > 0 { meanOctaves += (sum / lineCount - meanOctaves) / frameCount }
        for band in stride(from: 0, to: layout.count, by: 4) {
            let octaves = changes.span.vector(at: band) - SIMD4(repeating: meanOctaves - raise)
            targets.store(targets.vector(at: band) * PortableMath.exp2(octaves), at: band)
        }
    }

    /// Returns the correction at a critical band rate, interpolated between critical band centres.
    private func octaves(atBark bark: Float) -> Float {
        let (lower, share) = Self.position(atBark: bark)
        return octaves[lower] + (octaves[lower + 1] - octaves[lower]) * share
    }

    /// Returns the critical band whose centre is below a critical band rate, at most the last but one, and the weight of the next band.
    @inline(never)
    private static func position(atBark bark: Float) -> (lower: Int, share: Float) {
        let position = min(max(bark - 0.5, 0), 23.999)
        let lower = Int(position)
        return (lower, position - Float(lower))
    }

    /// log2 of each critical band's permitted error per line of a trial.
    ///
    /// Only differences between bands matter.
    ///
    /// The values are mean errors over clips at 128 kbit/s, tilted by 0.7 octaves at both ends. The highest band, which some clips lack,
    /// is tuned by its effect.
    private static let trialLineErrors: ContiguousArray<Float> = [
        -14.1, -13.7, -13.1, -12.6, -12.2, -11.8, -11.5, -11.3, -11.0, -10.9, -10.7, -10.5, -10.3, -10.1, -10.0, -9.9, -9.7, -9.6, -9.6,
        -9.3, -9.2, -9.2, -9.1, -9.6, -11.5,
    ]

    /// The permitted errors of predictions, which are up to an octave too low in the highest critical bands.
    private static let predictedLineErrors: ContiguousArray<Float> = {
        var errors = trialLineErrors
        errors[22] -= 0.5
        errors[23] -= 1.5
        errors[24] -= 2.2
        return errors
    }()

    /// The weight of the excess of a band's mean error.
    private static let meanWeight: Float = 0.85

    /// The offset of each critical band's line count, to prevent bands without lines from getting all bits.
    private static let fewLines: Float = 4

    /// Octaves of noise per octave of excess error.
    private static let gain: Float = 0.35

    /// The tolerated excess error, in octaves.
    private static let tolerance: Float = 0.3

    /// The maximum correction, in octaves of noise.
    private static let maximumCorrection: Float = 2

    /// The number of cells on either side in the variance of levels.
    private static let halfWidth = 5

    /// The offset of the level variance, in square octaves.
    private static let minimumVariance: Float = 4
}
