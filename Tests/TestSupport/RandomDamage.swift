// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The amount and seed of random damage in tests of readers and decoders.
public enum RandomDamage {
    /// The number of damaged copies per file: `LINNET_MUTATIONS`, default 300.
    public static let fileCount = number("LINNET_MUTATIONS") ?? 300
    /// The number of damaged access units per stream: `LINNET_DECODER_MUTATIONS`, default 150, or 3 in debug builds.
    public static let accessUnitCount: Int = {
        #if DEBUG
        let usual = 3
        #else
        let usual = 150
        #endif
        return number("LINNET_DECODER_MUTATIONS") ?? usual
    }()
    /// The number of batches of signals for an encoder.
    public static let signalBatchCount: Int = {
        #if DEBUG
        let usual = signalBatchSize
        #else
        let usual = 1000
        #endif
        return max(1, (number("LINNET_SIGNALS") ?? usual) / signalBatchSize)
    }()
    /// The number of signals per batch; `LINNET_SIGNALS` in all, default 1000, or one batch in debug builds.
    public static let signalBatchSize = 8
    /// Tests of many similar, expensive cases run one in `LINNET_CASE_SHARE`, default 1.
    public static let caseShare = number("LINNET_CASE_SHARE") ?? 1
    /// `LINNET_SEED`, default 0.
    ///
    /// Damage differs between commits and is reproducible for each.
    private static let seed = UInt64(number("LINNET_SEED") ?? 0)

    /// Returns the random generator of a test.
    ///
    /// The same `LINNET_SEED` reproduces a failure.
    public static func generator(_ test: Int) -> SeededRandom { SeededRandom(seed: seed << 16 + UInt64(test)) }

    /// Changes, removes or repeats some bytes.
    public static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
            // Damage is mostly near the start or end, where an index is, because it has the largest effect there.
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
