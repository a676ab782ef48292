// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// The AAC encoder or Opus codec of a converter.
///
/// Apple documents the priming of AAC-LC (2112 frames). The other numbers are known from practice, or uncertain for the low-delay codecs.
struct ConverterCodec {
    /// The format's four-character code as text.
    var formatID: String
    /// The core's audio object type (ISO/IEC 14496-3, Table 1.17).
    var objectType: Int
    /// The supported packet lengths in input frames; the first is the default.
    var framesPerPacket: [UInt32]
    /// The number of frames before the input's first frame.
    var priming: Int
    /// The supported numbers of channels.
    var channelCounts: ClosedRange<Int>
    /// Whether the core runs at half the input's sample rate.
    var hasHalfRate = false
    /// Whether the core is mono with parametric stereo.
    var hasParametricStereo = false
    /// Whether the codec supports a variable bit rate.
    var isVariable = false
    /// The supported bit rates per channel in bit/s.
    var bitRatesPerChannel: ClosedRange<UInt32>

    /// The AAC encoders.
    static let all = [
        ConverterCodec(
            formatID: "aac ", objectType: 2, framesPerPacket: [1024], priming: 2112, channelCounts: 1...8, isVariable: true,
            bitRatesPerChannel: 24_000...160_000),
        ConverterCodec(
            formatID: "aach", objectType: 2, framesPerPacket: [2048], priming: 5186, channelCounts: 1...8, hasHalfRate: true,
            bitRatesPerChannel: 16_000...40_000),
        ConverterCodec(
            formatID: "aacp", objectType: 2, framesPerPacket: [2048], priming: 5186, channelCounts: 2...2, hasHalfRate: true,
            hasParametricStereo: true, bitRatesPerChannel: 8000...32_000),
        ConverterCodec(
            formatID: "aacl", objectType: 23, framesPerPacket: [512, 480], priming: 512, channelCounts: 1...2,
            bitRatesPerChannel: 24_000...160_000),
        ConverterCodec(
            formatID: "aace", objectType: 39, framesPerPacket: [512, 480], priming: 256, channelCounts: 1...2,
            bitRatesPerChannel: 24_000...160_000),
        ConverterCodec(
            formatID: "aacf", objectType: 39, framesPerPacket: [1024, 960], priming: 512, channelCounts: 1...2, hasHalfRate: true,
            bitRatesPerChannel: 16_000...64_000),
    ]

    /// Returns the Opus codec for a sample rate in hertz.
    ///
    /// Apple documents the format code and that Opus has no format flags. The sample rates are from RFC 6716; everything else is uncertain.
    static func opus(sampleRate: Double) -> ConverterCodec {
        let ratio = 48_000 / max(1, Int(sampleRate))
        let model = machine.converters
        return ConverterCodec(
            formatID: "opus", objectType: 0, framesPerPacket: model.opusDurations.map { UInt32($0 / ratio) },
            priming: model.opusPriming / ratio, channelCounts: 1...2, bitRatesPerChannel: model.opusBitRates)
    }

    var isOpus: Bool { formatID == "opus" }

    /// The format's four-character code.
    var code: UInt32 { formatID.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    func bitRates(_ channelCount: Int) -> ClosedRange<UInt32> {
        bitRatesPerChannel.lowerBound * UInt32(channelCount)...bitRatesPerChannel.upperBound * UInt32(channelCount)
    }

    /// Returns the channel labels of an AAC layout tag with more than two channels, or `nil` for other tags.
    static func labels(ofTag tag: UInt32) -> [UInt32]? {
        let (left, right, center, lowFrequency): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 3, 4)
        let front = [center, left, right]
        let surround: [UInt32] = [5, 6]
        return switch tag {
        case 114 << 16 | 3: front
        case 116 << 16 | 4: front + [9]
        case 120 << 16 | 5: front + surround
        case 124 << 16 | 6: front + surround + [lowFrequency]
        case 127 << 16 | 8: [center, 7, 8, left, right] + surround + [lowFrequency]
        case 142 << 16 | 7: front + surround + [9, lowFrequency]
        case 183 << 16 | 8: front + surround + [33, 34, lowFrequency]
        case 184 << 16 | 8: front + surround + [lowFrequency, 13, 15]
        default: nil
        }
    }

    /// Returns the channel configuration of a layout tag.
    private static func configuration(ofTag tag: UInt32) -> Int {
        let numbers: [UInt32: Int] = [
            114 << 16 | 3: 3, 116 << 16 | 4: 4, 120 << 16 | 5: 5, 124 << 16 | 6: 6, 127 << 16 | 8: 7, 142 << 16 | 7: 11, 183 << 16 | 8: 12,
            184 << 16 | 8: 14,
        ]
        return numbers[tag] ?? 0
    }

    // MARK: Magic cookie

    /// Returns the magic cookie of a converter: an `ES_Descriptor` (ISO/IEC 14496-1, 7.2.6.5).
    func cookie(_ converter: Converter) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] { [tag, 0x80, 0x80, 0x80, UInt8(body.count)] + body }
        let rates = number(converter.bitRate) + number(converter.bitRate)
        let decoder = [0x40, 0x15, 0, 0x18, 0] + rates + descriptor(5, specificConfig(converter))
        return descriptor(3, [0, 0, 0] + descriptor(4, decoder) + descriptor(6, [2]))
    }

    /// Returns the AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
    private func specificConfig(_ converter: Converter) -> [UInt8] {
        let rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000]
        let rate = Int(converter.sampleRate)
        let index = rates.firstIndex(of: rate) ?? 15
        let coreIndex = hasHalfRate ? rates.firstIndex(of: rate / 2) ?? 15 : index
        let channels = hasParametricStereo ? 1 : converter.outputTag.map(Self.configuration) ?? converter.channelCount
        var bits = Bits()
        switch objectType {
        case 2 where hasHalfRate && machine.converters.signaling == .hierarchical:
            let type = hasParametricStereo && machine.converters.signalsParametricStereo ? 29 : 5
            bits.append((type, 5), (coreIndex, 4), (channels, 4), (index, 4), (2, 5), (0, 3))
        case 2:
            bits.append((2, 5), (coreIndex, 4), (channels, 4), (0, 3))
            if hasHalfRate, machine.converters.signaling == .backwardCompatible {
                bits.append((0x2B7, 11), (5, 5), (1, 1), (index, 4))
                if hasParametricStereo { bits.append((0x548, 11), (1, 1)) }
            }
        case 23:
            bits.append((23, 5), (index, 4), (channels, 4), (converter.framesPerPacket == 480 ? 1 : 0, 1), (0, 1), (1, 1), (0, 4), (0, 2))
        default:
            let isShort = converter.framesPerPacket == 480 || converter.framesPerPacket == 960
            bits.append((31, 5), (39 - 32, 6), (coreIndex, 4), (channels, 4), (isShort ? 1 : 0, 1), (0, 3), (hasHalfRate ? 1 : 0, 1))
            // Dual-rate SBR without CRC; the header carries only the amplitude resolution, start and stop frequency.
            if hasHalfRate { bits.append((1, 1), (0, 1), (1, 1), (5, 4), (10, 4), (0, 3), (0, 2), (0, 1), (0, 1)) }
            bits.append((0, 4), (0, 2))
        }
        return bits.bytes
    }

    /// Writes numbers as consecutive bits.
    private struct Bits {
        private var bits: [UInt8] = []

        /// Appends numbers of the given lengths in bits.
        mutating func append(_ numbers: (value: Int, length: Int)...) {
            for number in numbers { bits += (0..<number.length).reversed().map { UInt8(number.value >> $0 & 1) } }
        }

        /// The bytes, padded with zeros.
        var bytes: [UInt8] {
            stride(from: 0, to: bits.count, by: 8).map { start in
                (0..<8).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
            }
        }
    }
}
