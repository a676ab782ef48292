// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport

/// Random signals and parameters for ``PacketModel``.
enum RandomPackets {
    /// Returns a random kind of signal with the given bit depth.
    static func signal(count: Int, bitDepth: Int, random: inout SeededRandom) -> [Int] {
        let limit = 1 << (bitDepth - 1)
        let kind = Int.random(in: 0..<6, using: &random)
        var value = 0
        return (0..<count).map { index in
            switch kind {
            case 0: value = 0
            case 1: value = Int.random(in: -limit..<limit, using: &random)
            // A random walk
            case 2: value += Int.random(in: -200...200, using: &random)
            // Silence with single samples
            case 3: value = Int.random(in: 0..<60, using: &random) == 0 ? Int.random(in: -limit..<limit, using: &random) : 0
            // A rectangle at full scale
            case 4: value = index / 37 % 2 == 0 ? limit - 1 : -limit
            // Small noise
            default: value = Int.random(in: -3...3, using: &random)
            }
            value = max(-limit, min(limit - 1, value))
            return value
        }
    }

    /// Returns random element parameters, limited to what FFmpeg supports if `isUsual`.
    static func element(kind: Int, bitDepth: Int, isUsual: Bool = false, random: inout SeededRandom) -> PacketModel.Element {
        var element = PacketModel.Element(kind: kind, channels: [])
        element.isUncompressed = Int.random(in: 0..<8, using: &random) == 0
        let isWide = bitDepth == 32
        if !element.isUncompressed {
            element.lowByteCount = Int.random(in: (isWide ? 1 : 0)...(bitDepth > 16 ? 2 : 1), using: &random)
        }
        element.matrixShift = Int.random(in: 0...6, using: &random)
        let weights = isUsual ? 0...1 << element.matrixShift : -128...127
        element.matrixWeight = Int.random(in: 0...3, using: &random) == 0 ? 0 : Int.random(in: weights, using: &random)
        element.channels = (0..<element.channelCount).map { _ in
            let order = Int.random(in: 0...31, using: &random)
            return PacketModel.Channel(
                isDifferentiated: Int.random(in: 0..<4, using: &random) == 0, shift: Int.random(in: 1...15, using: &random),
                factor: Int.random(in: (isUsual ? 1 : 0)...7, using: &random),
                coefficients: (0..<order).map { _ in Int.random(in: -32768...32767, using: &random) })
        }
        return element
    }

    /// Returns random element types with `channelCount` channels in total.
    static func kinds(channelCount: Int, random: inout SeededRandom) -> [Int] {
        var kinds: [Int] = []
        var left = channelCount
        while left > 0 {
            let kind = left > 1 ? random.element(of: [0, 1, 3]) : random.element(of: [0, 3])
            kinds.append(kind)
            left -= kind == 1 ? 2 : 1
        }
        return kinds
    }

    /// Returns a random packet for a configuration, and its samples by channel.
    static func packet(_ configuration: ALACConfiguration, random: inout SeededRandom) -> (bytes: [UInt8], samples: [[Int]]) {
        let isWhole = Bool.random(using: &random)
        let count = isWhole ? configuration.frameLength : Int.random(in: 1...configuration.frameLength, using: &random)
        var model = PacketModel(configuration)
        var all: [[Int]] = []
        for kind in kinds(channelCount: configuration.channelCount, random: &random) {
            if Int.random(in: 0..<6, using: &random) == 0 { model.writeFill(byteCount: Int.random(in: 0...269, using: &random)) }
            if Int.random(in: 0..<6, using: &random) == 0 {
                let data = [UInt8](repeating: 0x5A, count: Int.random(in: 0...510, using: &random))
                model.writeData(data, isAligned: Bool.random(using: &random))
            }
            let element = element(kind: kind, bitDepth: configuration.bitDepth, random: &random)
            let samples = (0..<element.channelCount).map { _ in signal(count: count, bitDepth: configuration.bitDepth, random: &random) }
            model.write(element, samples)
            all += samples
        }
        return (model.finished(), all)
    }
}
