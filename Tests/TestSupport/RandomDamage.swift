// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// How much random damage the tests of readers and decoders do, and where it begins.
public enum RandomDamage {
    /// The damaged copies of each file: `LINNET_MUTATIONS`, or 300.
    public static let fileCount = number("LINNET_MUTATIONS") ?? 300
    /// The damaged units of each stream: `LINNET_DECODER_MUTATIONS`, or 150, in a debug build 3.
    public static let unitCount: Int = {
        #if DEBUG
        let usual = 3
        #else
        let usual = 150
        #endif
        return number("LINNET_DECODER_MUTATIONS") ?? usual
    }()
    /// A test of many similar, expensive cases runs one in so many of them: `LINNET_CASE_SHARE`, or 1.
    static let caseShare = number("LINNET_CASE_SHARE") ?? 1
    /// `LINNET_SEED`, or 0: other damage for each change, the same for the same change.
    private static let seed = UInt64(number("LINNET_SEED") ?? 0)

    /// Returns the generator of a test; a failure is reproduced with the same `LINNET_SEED`.
    public static func generator(_ test: Int) -> SeededRandom { SeededRandom(seed: seed << 16 + UInt64(test)) }

    /// Changes, removes or repeats some bytes.
    public static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
            // The index is mostly in front or behind; damage there does most.
            let reach = [bytes.count, min(bytes.count, 400)].randomElement(using: &random) ?? 1
            let distance = Int.random(in: 0..<reach, using: &random)
            let place = Bool.random(using: &random) ? distance : bytes.count - 1 - distance
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = .random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...9, using: &random)))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 5)], at: place)
            }
        }
    }

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}
