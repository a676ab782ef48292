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
    /// `LINNET_SEED`, or 0: other damage for each change, the same for the same change.
    private static let seed = UInt64(number("LINNET_SEED") ?? 0)

    /// Returns the generator of a test; a failure is reproduced with the same `LINNET_SEED`.
    public static func generator(_ test: Int) -> SeededRandom { SeededRandom(seed: seed << 16 + UInt64(test)) }

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}
