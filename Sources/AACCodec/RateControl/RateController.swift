// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Sets the quality of each frame so that the stream keeps to its rate.
///
/// Quality is the factor on the noise targets: smaller is better. It moves slowly, since a listener hears changes of quality
/// rather than quality; the bit reservoir takes what frames need more or less than their share. At a constant rate a frame's bits are
/// estimated before it is coded, so that what it leaves in the reservoir counts for its own quality, and few have to be coded again.
struct RateController {
    /// The bits that a channel may take in a frame (ISO/IEC 14496-3:2009, 4.5.3): the size of the decoder's input buffer.
    static let bitsPerChannel = 6144

    private let mode: AACEncoderConfiguration.RateControl
    private let channelCount: Int

    /// Bits a frame at the nominal rate; 0 for variable rate.
    let nominalBits: Double

    /// log2 of the quality that gives the nominal rate in the long run, as far as is known.
    private(set) var level: Float

    /// What a frame's entropy adds to the noise where the rate is not constant.
    var entropyNoise = EntropyNoise()

    /// Bits saved (positive) or spent ahead of the nominal rate so far.
    private var surplus = 0.0

    /// log2 of the bits of the latest frames over their entropy.
    var bitsOverEntropy: Float = 0.2

    /// Makes a controller; `startLevel` is log2 of the quality of the first frame.
    init(mode: AACEncoderConfiguration.RateControl, bitRate: Int?, sampleRate: Int, channelCount: Int, startLevel: Float) {
        self.mode = mode
        self.channelCount = channelCount
        nominalBits = Double(bitRate ?? 0) * 1024 / Double(sampleRate)
        level = startLevel
        if isConstant { surplus = reservoirSize / 2 }
    }

    /// Makes a controller that holds its level whatever frames take; `level` is log2 of the quality of a typical one.
    init(holding level: Float, channelCount: Int, entropyNoise: EntropyNoise) {
        mode = .variable(quality: 0)
        self.channelCount = channelCount
        nominalBits = 0
        self.entropyNoise = entropyNoise
        self.level = level
    }

    /// Bits that frames can save up for later ones at a constant rate.
    private var reservoirSize: Double { max(0, Double(Self.bitsPerChannel * channelCount) - nominalBits) }

    /// How full the reservoir is after a frame of so many bits: from 0 to 1, if it can be had.
    func fill(after bits: Float) -> Float { (Float(surplus + nominalBits) - bits) / Float(max(reservoirSize, 1)) }

    /// The most bits the next frame may take.
    var largestFrame: Int {
        let limit = Self.bitsPerChannel * channelCount
        guard isConstant else { return limit }
        return min(limit, Int(surplus + nominalBits))
    }

    /// The fewest bits the next frame may take: at a constant rate the reservoir can't hold more than its size.
    var smallestFrame: Int {
        guard isConstant else { return 0 }
        return max(0, Int((surplus + nominalBits - reservoirSize).rounded(.up)))
    }

    var isConstant: Bool {
        if case .constant = mode { true } else { false }
    }

    /// A surplus beyond so many frames counts no more.
    private static let largestSurplus = 50.0

    /// The quality for the next frame, as far as it is known before its entropy.
    var quality: Float { PortableMath.exp2(frameLevel) }

    /// log2 of it.
    var frameLevel: Float {
        switch mode {
        case .variable: level
        case .constant: servoLevel(bits: Float(nominalBits))
        case .average: level - Self.averagePull * Float(surplus / max(nominalBits, 1))
        }
    }

    /// How strongly a surplus pulls in average mode: octaves of noise for one frame's worth of bits.
    private static let averagePull: Float = 0.03

    /// How far a surplus of one frame's worth of bits moves the level for good, a frame.
    private static let averageStep: Float = 0.0001

    /// Accounts for a frame of `bits` bits, of which `content` are no padding; nil if there is none.
    mutating func advance(bits: Int, content: Int? = nil) {
        guard nominalBits > 0 else { return }
        surplus += nominalBits - Double(bits)
        if isConstant {
            // Silence says nothing about the quality that sound can have.
            if 2 * (content ?? bits) > Int(nominalBits) { level += constantStep }
            surplus = min(surplus, reservoirSize)
        } else {
            level -= Self.averageStep * Float(min(max(surplus / nominalBits, -Self.largestSurplus), Self.largestSurplus))
        }
        level = min(max(level, -20), 20)
    }
}
