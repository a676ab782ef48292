// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Chooses the noise scale of each frame so that the stream keeps its bit rate.
///
/// The noise scale is the ratio of quantization noise energy to the psychoacoustic model's noise targets. A smaller scale means better
/// quality and more bits. It changes slowly, because changes of quality are more audible than a constant impairment; the bit reservoir
/// absorbs the variations of single frames. At a constant bit rate, the bits of a frame are estimated before quantization. The reservoir
/// fullness after the frame then determines its noise scale, and few frames are requantized.
///
/// Measured in RateControl.md#rate-control.
package struct RateController {
    /// The decoder's input buffer size per channel and maximum frame size, in bits (ISO/IEC 14496-3:2009, 4.5.3).
    package static let bitsPerChannel = 6144

    /// The quantity that rate control keeps constant.
    package enum Mode: Equatable {
        /// The bit rate, within the limits of the decoder's input buffer.
        case constant(bitsPerFrame: Double)
        /// The mean bit rate of the stream.
        case average(bitsPerFrame: Double)
        /// The noise scale of a frame with typical entropy.
        case variable
    }

    private var mode: Mode

    /// The number of channels that determines the decoder's input buffer size.
    private let channelCount: Int

    /// The bits per frame at the nominal bit rate; 0 in variable mode.
    package private(set) var nominalBits: Double

    /// The maximum bits of any frame, a whole number of bytes; `nil` for the decoder's input buffer size.
    package var peakBits: Int?

    /// The bits of the next frame besides its content.
    package var extraBits = 0

    /// Whether frames may use bits that others save at a constant bit rate.
    private var hasReservoir = true

    /// The maximum size of the reservoir, in nominal frames.
    private var reservoirFrames = Double.infinity

    /// log2 of the estimated noise scale that yields the nominal bit rate in the long run.
    package var log2NoiseScale: Float

    /// The dependence of the noise scale on a frame's entropy if the bit rate is not constant.
    private(set) var entropyNoiseScaling: EntropyNoiseScaling

    /// The bits saved (positive) or borrowed (negative) so far, relative to the nominal bit rate.
    private var bitSurplus = 0.0

    /// The number of frames left in which the noise scale follows the bit surplus faster, after a change of the average bit rate.
    private var recoveryFrames = 0

    /// The number of frames accounted for so far in average mode.
    private var accountedFrames = 0

    /// The deadline for reaching the average bit rate, in frames.
    private let deadlineFrames: Int

    /// The group of frames with an exact total size; `nil` without groups.
    private(set) var group: FrameGroup?

    /// The entropy of headers, sections and scale factors, in bits, added to the entropy of the lines.
    package var sideEntropy: Float = 150

    /// log2 of the ratio of bits to estimated entropy in recent frames.
    package var log2BitsPerEntropy: Float = 0.2

    /// Creates a controller for the first frame.
    ///
    /// - Parameters:
    ///   - mode: The quantity to keep constant.
    ///   - channelCount: The number of channels that determines the decoder's input buffer size.
    ///   - initialLog2NoiseScale: log2 of the first frame's noise scale. In variable mode it applies to all frames.
    ///   - entropyNoiseScaling: The dependence of the noise scale on a frame's entropy if the bit rate is not constant.
    ///   - framesPerSecond: The frame rate, for the deadline of an average bit rate.
    package init(
        mode: Mode, channelCount: Int, initialLog2NoiseScale: Float, entropyNoiseScaling: EntropyNoiseScaling = EntropyNoiseScaling(),
        framesPerSecond: Float = 48
    ) {
        self.mode = mode
        deadlineFrames = max(1, Int(Self.deadlineSeconds * framesPerSecond))
        self.channelCount = channelCount
        self.entropyNoiseScaling = entropyNoiseScaling
        log2NoiseScale = initialLog2NoiseScale
        nominalBits =
            switch mode {
            case .constant(let bits), .average(let bits): bits
            case .variable: 0
            }
        if isConstant { bitSurplus = reservoirSize / 2 }
    }

    /// Changes the nominal bit rate from the next frame.
    ///
    /// Has no effect in variable mode.
    ///
    /// Knowledge about the signal is kept: the noise scale moves by the change that typical music needs. At a constant bit rate the
    /// decoder's input buffer keeps the bits that arrived at the previous rate. At an average bit rate the account is reset, because bits
    /// borrowed at a high rate would take long to repay at a low one. The noise scale then follows the account faster for a while.
    ///
    /// - Parameters:
    ///   - bits: The bits per frame at the new rate.
    ///   - log2Change: The difference between the log2 noise scales at which typical music has the new and the previous rate.
    ///   - entropyNoiseScaling: The dependence of the noise scale on a frame's entropy at the new rate.
    package mutating func setNominalBits(_ bits: Double, log2Change: Float, entropyNoiseScaling: EntropyNoiseScaling) {
        switch mode {
        case .variable: return
        case .constant:
            mode = .constant(bitsPerFrame: bits)
            bitSurplus += nominalBits - bits
            nominalBits = bits
        case .average:
            log2NoiseScale = frameLog2NoiseScale
            mode = .average(bitsPerFrame: bits)
            nominalBits = bits
            bitSurplus = 0
            accountedFrames = 0
            recoveryFrames = Self.recoveryLength
        }
        log2NoiseScale = min(max(log2NoiseScale + log2Change, -20), 20)
        self.entropyNoiseScaling = entropyNoiseScaling
    }

    /// The bits that frames can save for later frames at a constant bit rate: the input buffer minus a nominal frame, at least a byte.
    private var reservoirSize: Double {
        guard hasReservoir else { return Self.byteRemainder }
        let size = max(Self.byteRemainder, Double(Self.bitsPerChannel * channelCount) - nominalBits)
        return reservoirFrames < .infinity ? min(size, reservoirFrames * nominalBits) : size
    }

    /// The bits that any frame may leave for the next.
    ///
    /// Frames are whole bytes, but their nominal size may be fractional.
    private static let byteRemainder = 8.0

    /// Limits the reservoir to `frames` nominal frames.
    package mutating func limitReservoir(frames: Double) {
        guard isConstant else { return }
        reservoirFrames = frames
        bitSurplus = reservoirSize / 2
    }

    /// Limits each frame to its nominal size at a constant bit rate, so that decoders need no bits of later frames.
    package mutating func removeReservoir() {
        guard isConstant else { return }
        hasReservoir = false
        bitSurplus = 0
    }

    /// Makes each group of `accessUnitCount` frames use exactly `bits` in total.
    package mutating func setGroup(accessUnitCount: Int, bits: Int) {
        guard isConstant else { return }
        hasReservoir = false
        bitSurplus = 0
        group = FrameGroup(frameCount: accessUnitCount, bits: bits)
    }

    /// Returns the state before a frame; `nil` if a checkpoint cannot represent it, with groups and after a change of the bit rate.
    package func checkpoint(accessUnitIndex: Int) -> EncoderCheckpoint? {
        guard group == nil, recoveryFrames == 0 else { return nil }
        return EncoderCheckpoint(
            accessUnitIndex: accessUnitIndex, log2NoiseScale: log2NoiseScale, bitSurplus: bitSurplus, accountedFrames: accountedFrames,
            log2BitsPerEntropy: log2BitsPerEntropy)
    }

    /// Restores the state of another controller with the same mode.
    ///
    /// - Returns: Whether the state is possible in this mode. If not, nothing changes.
    package mutating func restore(_ checkpoint: EncoderCheckpoint) -> Bool {
        // NaN is in no range.
        guard group == nil, (-20...20).contains(checkpoint.log2NoiseScale), (-64...64).contains(checkpoint.log2BitsPerEntropy),
            checkpoint.accountedFrames >= 0, bitSurplusRange.contains(checkpoint.bitSurplus)
        else { return false }
        log2NoiseScale = checkpoint.log2NoiseScale
        log2BitsPerEntropy = checkpoint.log2BitsPerEntropy
        accountedFrames = checkpoint.accountedFrames
        bitSurplus = checkpoint.bitSurplus
        return true
    }

    /// The possible bit surplus before a frame.
    ///
    /// Without a constant bit rate only an implausible surplus is excluded.
    private var bitSurplusRange: ClosedRange<Double> {
        isConstant ? -nominalBits / 2...max(reservoirSize, 0) : -Self.maximumBalance...Self.maximumBalance
    }

    /// The maximum absolute bit surplus at an average bit rate: a stream of years.
    private static let maximumBalance = 1e15

    /// Accounts for bits that the caller adds to the next frame.
    package mutating func reserve(bits: Int) {
        guard nominalBits > 0, group == nil else { return }
        // A frame always keeps part of its bits.
        bitSurplus = isConstant ? max(bitSurplus - Double(bits), -nominalBits / 2) : bitSurplus - Double(bits)
    }

    /// Whether groups of frames have an exact total size.
    package var isGrouped: Bool { group != nil }

    /// Whether each frame, or each group, has its nominal size at a constant bit rate.
    var isUnbuffered: Bool { isConstant && !hasReservoir }

    /// Returns the reservoir fullness after a frame of `bits`; from 0 to 1 if the reservoir can supply them.
    func reservoirFullness(after bits: Float) -> Float {
        (Float(bitSurplus + nominalBits) - bits) / Float(max(reservoirSize, 1))
    }

    /// The maximum bits of any frame: a decoder's input buffer or the peak bit rate.
    package var largestFrameBitCount: Int { min(Self.bitsPerChannel * channelCount, peakBits ?? .max) }

    package var maximumFrameBitCount: Int {
        let limit = largestFrameBitCount
        if let group { return min(limit, group.maximumFrameBitCount) }
        guard isConstant else { return limit }
        return min(limit, Int(bitSurplus + nominalBits))
    }

    /// The minimum bits of the next frame.
    ///
    /// At a constant bit rate they keep the reservoir from overflowing.
    package var minimumFrameBitCount: Int {
        guard isConstant else { return 0 }
        if let group { return group.minimumFrameBitCount(limit: Self.bitsPerChannel * channelCount) }
        return min(max(0, Int((bitSurplus + nominalBits - reservoirSize).rounded(.up))), peakBits ?? .max)
    }

    var isConstant: Bool {
        if case .constant = mode { true } else { false }
    }

    /// The noise scale of the next frame, before its entropy is known.
    package var noiseScale: Float { PortableMath.exp2(frameLog2NoiseScale) }

    /// log2 of ``noiseScale``.
    package var frameLog2NoiseScale: Float {
        switch mode {
        case .variable: log2NoiseScale
        case .constant: hasReservoir ? reservoirLog2NoiseScale(after: Float(nominalBits)) : log2NoiseScale
        case .average: log2NoiseScale - averageOffset
        }
    }

    /// The noise reduction of the next frame from the account of an average bit rate, in octaves.
    private var averageOffset: Float {
        let frames = Float(bitSurplus / max(nominalBits, 1))
        let steady = Self.steadyPull * frames
        let early = min(max(averagePull * frames, -Self.maximumEarlyOffset), Self.maximumEarlyOffset)
        return (abs(early) > abs(steady) ? early : steady) - Self.debtPull * excessDebt
    }

    /// The nominal frames by which the debt of an average bit rate exceeds ``maximumDebt``.
    private var excessDebt: Float {
        max(0, -Float(bitSurplus / max(nominalBits, 1)) - Self.maximumDebt * Float(deadlineFrames))
    }

    /// The next frame's noise reduction per nominal frame of bit surplus, in octaves, at an average bit rate.
    ///
    /// Until the long run begins, a deviation of the mean by 2 % moves the noise scale by 0.7 octaves.
    private var averagePull: Float {
        let pull = max(Self.steadyPull, Self.deadlinePull / Float(max(accountedFrames, deadlineFrames)))
        return recoveryFrames > 0 ? max(pull, Self.recoveryPull) : pull
    }

    /// The decrease of ``log2NoiseScale`` per frame and per nominal frame of bit surplus, in octaves.
    ///
    /// Together with ``averagePull`` it lets deviations decay without oscillation if an octave of noise saves a quarter of the bits.
    private var averageStep: Float {
        let pull = excessDebt > 0 ? max(averagePull, Self.debtPull) : averagePull
        let step = Self.stepPerSquaredPull * pull * pull
        return recoveryFrames > 0 ? max(step, Self.recoveryStep) : step
    }

    /// ``averagePull`` in the long run.
    ///
    /// Measured in RateControl.md#the-long-run-of-an-average-rate, like ``maximumLearnedOffset`` and ``maximumSaving``.
    private static let steadyPull: Float = 0.003

    /// The ratio of ``averageStep`` to the square of ``averagePull``.
    private static let stepPerSquaredPull: Float = 0.1

    /// The product of ``averagePull`` and the number of frames until the long run begins.
    ///
    /// Measured in RateControl.md#the-first-seconds-of-an-average-rate.
    private static let deadlinePull: Float = 36

    /// The deadline for reaching the average bit rate, in seconds.
    private static let deadlineSeconds: Float = 10

    /// The maximum change of the noise scale by ``averagePull``, in octaves.
    ///
    /// ``steadyPull`` may exceed it.
    private static let maximumEarlyOffset: Float = 3

    /// The minimum ``averagePull`` in the first ``recoveryLength`` frames after a change of the rate.
    private static let recoveryPull: Float = 0.1

    /// The minimum ``averageStep`` in the first ``recoveryLength`` frames after a change of the rate.
    private static let recoveryStep: Float = 0.002

    /// The number of frames after a change of the rate in which the noise scale follows the bit surplus faster; 4 s at 48 kHz.
    ///
    /// Typical music and the signal may need noise scales two octaves apart. With the steady values, the rate of synthetic signals was up
    /// to 16 % off over 15 s after a change. With these it is at most 3 % off from 2 s after a change.
    private static let recoveryLength = 200

    /// The maximum ``averageStep`` in frames with an eighth to a quarter of the nominal bits.
    private static let toneStep: Float = 0.0001

    /// The maximum change of the noise scale by ``averagePull`` from which ``log2NoiseScale`` learns, in octaves.
    private static let maximumLearnedOffset: Float = 2

    /// The maximum bit surplus or deficit from which ``log2NoiseScale`` learns, in nominal frames.
    private static let maximumLearnedSurplus = 50.0

    /// The maximum bit surplus at an average bit rate, relative to the bits until the deadline: five seconds.
    ///
    /// Otherwise audio after a long silence would get many times the rate.
    private static let maximumSaving = 0.5

    /// The debt at an average bit rate, relative to the bits until the deadline, beyond which the noise scale follows it by
    /// ``debtPull``: five seconds.
    ///
    /// Otherwise audio after a long tone would have several times the rate for 20 s.
    private static let maximumDebt: Float = 0.5

    /// ``averagePull`` beyond ``maximumDebt``.
    private static let debtPull: Float = 0.03

    /// Accounts for an encoded frame.
    ///
    /// - Parameter content: The bits of the frame without fill elements; `nil` if it has no fill elements.
    package mutating func advance(bits: Int, content: Int? = nil) {
        guard nominalBits > 0 else { return }
        guard group == nil else {
            group?.advance(bits: bits)
            log2NoiseScale = min(max(log2NoiseScale, -20), 20)
            return
        }
        bitSurplus += nominalBits - Double(bits)
        if isConstant {
            // Silence needs few bits at any noise scale and must not change the noise scale of the signal after it.
            if hasReservoir, 2 * (content ?? bits) > Int(nominalBits) { log2NoiseScale += constantStep }
            bitSurplus = min(bitSurplus, reservoirSize)
        } else {
            bitSurplus = min(bitSurplus, Self.maximumSaving * Double(deadlineFrames) * nominalBits)
            let step = averageStep
            let limit = min(Self.maximumLearnedSurplus, Double(Self.maximumLearnedOffset / averagePull))
            accountedFrames += 1
            // Silence needs few bits at any noise scale and must not change the noise scale of the signal after it. A tone can use more.
            let used = 4 * bits > Int(nominalBits) ? step : 8 * bits > Int(nominalBits) ? min(step, Self.toneStep) : 0
            log2NoiseScale -= used * Float(min(max(bitSurplus / nominalBits, -limit), limit))
            if recoveryFrames > 0 { advanceRecovery() }
        }
        log2NoiseScale = min(max(log2NoiseScale, -20), 20)
    }

    /// Counts a frame after a change of the rate.
    ///
    /// When the count ends, the noise scale of the next frame stays the same.
    private mutating func advanceRecovery() {
        let before = frameLog2NoiseScale
        recoveryFrames -= 1
        log2NoiseScale += before - frameLog2NoiseScale
    }
}
