// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Sets the quality of each frame so that the stream keeps to its rate.
///
/// Quality is the factor on the noise targets: smaller is better. It moves slowly, since a listener hears changes of quality
/// rather than quality; the bit reservoir takes what frames need more or less than their share.
struct RateController {
    /// The bits that a channel may take in a frame (ISO/IEC 14496-3:2009, 4.5.3): the size of the decoder's input buffer.
    static let bitsPerChannel = 6144

    private let mode: AACEncoderConfiguration.RateControl
    private let channelCount: Int

    /// Bits a frame at the nominal rate; 0 for variable rate.
    let nominalBits: Double

    /// log2 of the quality that gives the nominal rate in the long run, as far as is known.
    private var level: Float

    /// Bits saved (positive) or spent ahead of the nominal rate so far.
    private var surplus = 0.0

    /// Makes a controller; `startLevel` is log2 of the quality of the first frame.
    init(mode: AACEncoderConfiguration.RateControl, bitRate: Int?, sampleRate: Int, channelCount: Int, startLevel: Float) {
        self.mode = mode
        self.channelCount = channelCount
        nominalBits = Double(bitRate ?? 0) * 1024 / Double(sampleRate)
        level = startLevel
        if isConstant { surplus = reservoirSize / 2 }
    }

    /// Makes a controller that leaves the quality alone; `level` is its log2.
    init(holding level: Float, channelCount: Int) {
        mode = .variable(quality: 0)
        self.channelCount = channelCount
        nominalBits = 0
        self.level = level
    }

    /// Bits that frames can save up for later ones at a constant rate.
    private var reservoirSize: Double { max(0, Double(Self.bitsPerChannel * channelCount) - nominalBits) }

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

    private var isConstant: Bool {
        if case .constant = mode { true } else { false }
    }

    /// A surplus beyond so many frames counts no more.
    private static let largestSurplus = 50.0

    /// The quality for the next frame.
    var quality: Float {
        switch mode {
        case .variable: return PortableMath.exp2(level)
        case .constant:
            let fill = Float(surplus / max(reservoirSize, 1))
            return PortableMath.exp2(level + Self.constantPull * (0.5 - fill))
        case .average:
            let frames = Float(surplus / max(nominalBits, 1))
            return PortableMath.exp2(level - Self.averagePull * frames)
        }
    }

    /// How strongly the state of the reservoir pulls at the quality: octaves of noise from full to empty.
    private static let constantPull: Float = 2

    /// How strongly a surplus pulls in average mode: octaves of noise for one frame's worth of bits.
    private static let averagePull: Float = 0.03

    /// How far a surplus of one frame's worth of bits moves the level for good, a frame.
    private static let averageStep: Float = 0.0001

    /// How far one frame of no bits at all moves the level at a constant rate.
    private static let constantStep: Float = 0.02

    /// Accounts for a frame of `bits` bits.
    mutating func advance(bits: Int) {
        guard nominalBits > 0 else { return }
        let difference = nominalBits - Double(bits)
        surplus += difference
        let step =
            isConstant
            ? Self.constantStep * Float(min(max(difference / nominalBits, -1), 1))
            : Self.averageStep * Float(min(max(surplus / nominalBits, -Self.largestSurplus), Self.largestSurplus))
        level = min(max(level - step, -20), 20)
        if isConstant { surplus = min(surplus, reservoirSize) }
    }
}
