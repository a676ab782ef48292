// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Chooses the noise scale of each frame so that the stream keeps its bit rate.
///
/// The noise scale is the factor from the noise targets of the psychoacoustic model to the energy of the quantisation noise: the smaller,
/// the better the quality and the more bits. It changes slowly, since changes of quality are more audible than a constant
/// impairment; the bit reservoir absorbs what single frames take more or less than their share. At a constant bit rate the bits of a frame
/// are estimated before it is coded, so that the reservoir after the frame determines its noise scale, and few frames have to be coded
/// again.
///
/// Measured in RateControl.md#rate-control.
package struct RateController {
    /// The size of a decoder's input buffer for each channel, in bits (ISO/IEC 14496-3:2009, 4.5.3), which is also the largest frame.
    package static let bitsPerChannel = 6144

    /// The quantity that is kept constant.
    package enum Mode: Equatable {
        /// The bit rate, within the limits of the decoder's input buffer.
        case constant(bitsPerFrame: Double)
        /// The mean bit rate of the stream.
        case average(bitsPerFrame: Double)
        /// The noise scale of a frame of typical entropy.
        case variable
    }

    /// The quantity that is kept constant.
    private var mode: Mode

    /// The channels that the decoder's input buffer is sized for.
    private let channelCount: Int

    /// The bits of a frame at the nominal bit rate; 0 for a variable one.
    package private(set) var nominalBits: Double

    /// The most bits of any frame, a whole number of bytes; `nil` for the size of a decoder's input buffer.
    package var peakBits: Int?

    /// Whether frames may take the bits that others save at a constant bit rate.
    private var hasReservoir = true

    /// The most nominal frames that the reservoir holds.
    private var reservoirFrames = Double.infinity

    /// The base-2 logarithm of the noise scale that gives the nominal bit rate in the long run, as estimated so far.
    package var log2NoiseScale: Float

    /// The dependence of the noise scale on a frame's entropy where the bit rate is not constant.
    private(set) var entropyNoiseScaling: EntropyNoiseScaling

    /// The bits saved (positive) or borrowed (negative) against the nominal bit rate so far.
    private var surplus = 0.0

    /// The number of frames for which the noise scale still follows the surplus faster, after a change of an average bit rate.
    private var settlingFrames = 0

    /// The frames of the account of an average bit rate so far.
    private var accountedFrames = 0

    /// The frames after which an average bit rate has to be met.
    private let meetingFrames: Int

    /// The group of frames that take an exact number of bits together; `nil` without groups.
    private(set) var group: FrameGroup?

    /// The bits of headers, sections and scale factors that are added to the entropy of the lines.
    package var sideEntropy: Float = 150

    /// The base-2 logarithm of the ratio of bits to estimated entropy in the latest frames.
    package var log2BitsPerEntropy: Float = 0.2

    /// Makes a controller before the first frame.
    ///
    /// - Parameters:
    ///   - mode: The quantity that is kept constant.
    ///   - channelCount: The channels that the decoder's input buffer is sized for.
    ///   - initialLog2NoiseScale: The base-2 logarithm of the noise scale of the first frame, and of all frames if it is the constant.
    ///   - entropyNoiseScaling: The dependence of the noise scale on a frame's entropy where the bit rate is not constant.
    ///   - framesPerSecond: The frames of a second, which tell when an average bit rate has to be met.
    package init(
        mode: Mode, channelCount: Int, initialLog2NoiseScale: Float, entropyNoiseScaling: EntropyNoiseScaling = EntropyNoiseScaling(),
        framesPerSecond: Float = 48
    ) {
        self.mode = mode
        meetingFrames = max(1, Int(Self.meetingSeconds * framesPerSecond))
        self.channelCount = channelCount
        self.entropyNoiseScaling = entropyNoiseScaling
        log2NoiseScale = initialLog2NoiseScale
        nominalBits =
            switch mode {
            case .constant(let bits), .average(let bits): bits
            case .variable: 0
            }
        if isConstant { surplus = reservoirSize / 2 }
    }

    /// Changes the nominal bit rate from the next frame on; at a variable bit rate nothing.
    ///
    /// What is known about the signal remains: the noise scale moves by the difference that typical music needs. At a constant bit rate the
    /// bits in the decoder's input buffer before the next frame remain, since they arrive at the rate of the frame before. At an average bit
    /// rate the account starts anew, since what a high rate has borrowed would take a long time to pay back at a low one, and the noise
    /// scale follows the account faster for a while.
    ///
    /// - Parameters:
    ///   - bits: The bits of a frame at the new rate.
    ///   - log2Change: The difference of the log2 noise scales at which typical music takes the new rate and the one before.
    ///   - entropyNoiseScaling: The dependence of the noise scale on a frame's entropy at the new rate.
    package mutating func setNominalBits(_ bits: Double, log2Change: Float, entropyNoiseScaling: EntropyNoiseScaling) {
        switch mode {
        case .variable: return
        case .constant:
            mode = .constant(bitsPerFrame: bits)
            surplus += nominalBits - bits
            nominalBits = bits
        case .average:
            log2NoiseScale = frameLog2NoiseScale
            mode = .average(bitsPerFrame: bits)
            nominalBits = bits
            surplus = 0
            accountedFrames = 0
            settlingFrames = Self.settlingLength
        }
        log2NoiseScale = min(max(log2NoiseScale + log2Change, -20), 20)
        self.entropyNoiseScaling = entropyNoiseScaling
    }

    /// The bits that frames can save for later ones at a constant bit rate: what the input buffer holds beside a nominal frame, and at least a byte.
    private var reservoirSize: Double {
        guard hasReservoir else { return Self.byteRemainder }
        let size = max(Self.byteRemainder, Double(Self.bitsPerChannel * channelCount) - nominalBits)
        return reservoirFrames < .infinity ? min(size, reservoirFrames * nominalBits) : size
    }

    /// The bits that any frame may leave for the next one.
    ///
    /// Frames are whole bytes, but their share of the bit rate may not be.
    private static let byteRemainder = 8.0

    /// Makes the reservoir hold at most so many frames at the nominal bit rate.
    package mutating func limitReservoir(frames: Double) {
        guard isConstant else { return }
        reservoirFrames = frames
        surplus = reservoirSize / 2
    }

    /// Makes each frame take its share of a constant bit rate, so that no decoder has to wait for bits of later frames.
    package mutating func removeReservoir() {
        guard isConstant else { return }
        hasReservoir = false
        surplus = 0
    }

    /// Makes each group of frames take an exact number of bits, which they share among them.
    package mutating func setGroup(unitCount: Int, bits: Int) {
        guard isConstant else { return }
        hasReservoir = false
        surplus = 0
        group = FrameGroup(frameCount: unitCount, bits: bits)
    }

    /// Returns the state before a frame; `nil` where there is more of it, in groups and after a change of the bit rate.
    package func checkpoint(unit: Int) -> EncoderCheckpoint? {
        guard group == nil, settlingFrames == 0 else { return nil }
        return EncoderCheckpoint(
            unit: unit, log2NoiseScale: log2NoiseScale, surplus: surplus, accountedFrames: accountedFrames,
            log2BitsPerEntropy: log2BitsPerEntropy)
    }

    /// Takes over the state that another controller of the same mode had before a frame.
    ///
    /// - Returns: False, and nothing has changed, if no controller of this mode has such a state.
    package mutating func restore(_ checkpoint: EncoderCheckpoint) -> Bool {
        // NaN is in no range.
        guard group == nil, (-20...20).contains(checkpoint.log2NoiseScale), (-64...64).contains(checkpoint.log2BitsPerEntropy),
            checkpoint.accountedFrames >= 0, surplusRange.contains(checkpoint.surplus)
        else { return false }
        log2NoiseScale = checkpoint.log2NoiseScale
        log2BitsPerEntropy = checkpoint.log2BitsPerEntropy
        accountedFrames = checkpoint.accountedFrames
        surplus = checkpoint.surplus
        return true
    }

    /// The surpluses that a controller can have before a frame; without a constant bit rate there is no limit for those of a stream.
    private var surplusRange: ClosedRange<Double> {
        isConstant ? -nominalBits / 2...max(reservoirSize, 0) : -Self.largestBalance...Self.largestBalance
    }

    /// The largest absolute surplus at an average bit rate, in bits: that of a stream of years.
    private static let largestBalance = 1e15

    /// Accounts for bits that the caller adds to the next frame.
    package mutating func reserve(bits: Int) {
        guard nominalBits > 0, group == nil else { return }
        // A frame keeps some of its bits in any case.
        surplus = isConstant ? max(surplus - Double(bits), -nominalBits / 2) : surplus - Double(bits)
    }

    /// Whether groups of frames take an exact number of bits.
    package var isGrouped: Bool { group != nil }

    /// Whether each frame takes its share of a constant bit rate, or each group of frames.
    var isUnbuffered: Bool { isConstant && !hasReservoir }

    /// Returns the fullness of the reservoir after a frame of so many bits; from 0 to 1 if the reservoir can supply them.
    func reservoirFullness(after bits: Float) -> Float {
        (Float(surplus + nominalBits) - bits) / Float(max(reservoirSize, 1))
    }

    /// The most bits that the next frame may take.
    package var largestFrame: Int {
        let limit = min(Self.bitsPerChannel * channelCount, peakBits ?? .max)
        if let group { return min(limit, group.largestFrame) }
        guard isConstant else { return limit }
        return min(limit, Int(surplus + nominalBits))
    }

    /// The fewest bits that the next frame may take: at a constant bit rate the reservoir can't hold more than its size.
    package var smallestFrame: Int {
        guard isConstant else { return 0 }
        if let group { return group.smallestFrame(limit: Self.bitsPerChannel * channelCount) }
        return min(max(0, Int((surplus + nominalBits - reservoirSize).rounded(.up))), peakBits ?? .max)
    }

    /// Whether the bit rate is constant.
    var isConstant: Bool {
        if case .constant = mode { true } else { false }
    }

    /// The noise scale of the next frame, as far as it is known before the frame's entropy.
    package var noiseScale: Float { PortableMath.exp2(frameLog2NoiseScale) }

    /// The base-2 logarithm of ``noiseScale``.
    package var frameLog2NoiseScale: Float {
        switch mode {
        case .variable: log2NoiseScale
        case .constant: hasReservoir ? reservoirLog2NoiseScale(after: Float(nominalBits)) : log2NoiseScale
        case .average: log2NoiseScale - averageOffset
        }
    }

    /// The octaves by which the account of an average bit rate lowers the noise of the next frame.
    private var averageOffset: Float {
        let frames = Float(surplus / max(nominalBits, 1))
        let steady = Self.steadyPull * frames
        let early = min(max(averagePull * frames, -Self.largestEarlyOffset), Self.largestEarlyOffset)
        return abs(early) > abs(steady) ? early : steady
    }

    /// The octaves of noise by which a surplus of one nominal frame lowers the next frame's noise at an average bit rate.
    ///
    /// A deviation of the mean of 2 % moves the noise scale by 0.7 octaves, until the long run begins.
    private var averagePull: Float {
        let pull = max(Self.steadyPull, Self.meetingPull / Float(max(accountedFrames, meetingFrames)))
        return settlingFrames > 0 ? max(pull, Self.settlingPull) : pull
    }

    /// The octaves of noise by which a surplus of one nominal frame lowers ``log2NoiseScale`` with each frame: with ``averagePull`` the deviation
    /// fades without swinging, where an octave of noise takes a quarter of the bits.
    private var averageStep: Float {
        let step = Self.stepPerSquaredPull * averagePull * averagePull
        return settlingFrames > 0 ? max(step, Self.settlingStep) : max(step, Self.leastStep)
    }

    /// The ``averagePull`` in the long run.
    private static let steadyPull: Float = 0.03

    /// The ``averageStep`` in the long run.
    private static let leastStep: Float = 0.0001

    /// The ratio of ``averageStep`` to the square of ``averagePull``.
    private static let stepPerSquaredPull: Float = 0.1

    /// The product of ``averagePull`` and the number of frames until the long run begins.
    ///
    /// Measured in RateControl.md#the-first-seconds-of-an-average-rate.
    private static let meetingPull: Float = 36

    /// The seconds after which an average bit rate has to be met.
    private static let meetingSeconds: Float = 10

    /// The most octaves that ``averagePull`` moves the noise scale, beyond what ``steadyPull`` does.
    private static let largestEarlyOffset: Float = 3

    /// The ``averagePull`` in the first ``settlingLength`` frames after a change of the rate.
    private static let settlingPull: Float = 0.1

    /// The ``averageStep`` in the first ``settlingLength`` frames after a change of the rate.
    private static let settlingStep: Float = 0.002

    /// The number of frames after a change of the rate in which the noise scale follows the surplus faster, 4 s at 48 kHz.
    ///
    /// What typical music needs may be two octaves from what a signal needs. With the steady values synthetic signals took up to 16 % more
    /// or less than the rate over 15 s after a change, with these at most 3 % from 2 s after it.
    private static let settlingLength = 200

    /// The largest surplus or deficit that changes ``log2NoiseScale``, in nominal frames.
    private static let largestSurplus = 50.0

    /// Accounts for a coded frame.
    ///
    /// - Parameters:
    ///   - bits: The bits of the frame.
    ///   - content: The bits of the frame without fill elements; `nil` if there are none.
    package mutating func advance(bits: Int, content: Int? = nil) {
        guard nominalBits > 0 else { return }
        guard group == nil else {
            group?.advance(bits: bits)
            log2NoiseScale = min(max(log2NoiseScale, -20), 20)
            return
        }
        surplus += nominalBits - Double(bits)
        if isConstant {
            // Silence, which takes few bits at any noise scale, must not change the noise scale of the signal after it.
            if hasReservoir, 2 * (content ?? bits) > Int(nominalBits) { log2NoiseScale += constantStep }
            surplus = min(surplus, reservoirSize)
        } else {
            let step = averageStep
            // Silence, which takes few bits at any noise scale, is no reason to learn fast.
            let used = 4 * bits > Int(nominalBits) ? step : min(step, Self.leastStep)
            accountedFrames += 1
            log2NoiseScale -= used * Float(min(max(surplus / nominalBits, -Self.largestSurplus), Self.largestSurplus))
            if settlingFrames > 0 { advanceSettling() }
        }
        log2NoiseScale = min(max(log2NoiseScale, -20), 20)
    }

    /// Counts a frame after a change of the rate; the noise scale of the next frame stays the same when the last of them is over.
    private mutating func advanceSettling() {
        let before = frameLog2NoiseScale
        settlingFrames -= 1
        log2NoiseScale += before - frameLog2NoiseScale
    }
}
