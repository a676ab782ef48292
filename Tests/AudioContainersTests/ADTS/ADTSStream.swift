// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport

/// ADTS streams with random payloads, for damage tests.
struct ADTSStream {
    var frames: [[UInt8]] = []

    var bytes: [UInt8] { frames.flatMap { $0 } }

    /// Returns frames of random bytes, some of which contain a decoy header of the same stream.
    static func random(frameCount: Int, rate: Int = 32_000, channels: Int = 2, seed: UInt64 = 1) throws -> ADTSStream {
        var random = SeededRandom(seed: seed)
        let framer = try ADTSFramer(
            AudioSpecificConfig(sampleRate: rate, channelConfiguration: ChannelConfiguration(channelCount: channels)))
        var stream = ADTSStream()
        for _ in 0..<frameCount {
            var payload = (0..<Int.random(in: 40...400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                let decoy = try framer.frame(AccessUnit([UInt8](repeating: 7, count: Int.random(in: 1...300, using: &random))))
                payload.replaceSubrange(10..<17, with: decoy.prefix(7))
            }
            stream.frames.append(try framer.frame(AccessUnit(payload)))
        }
        return stream
    }

    func offset(of frame: Int) -> Int { frames[..<frame].reduce(0) { $0 + $1.count } }
}

/// Returns all events of an ADTS stream, read in chunks of the given sizes.
///
/// The last size repeats.
func adtsEvents(_ bytes: [UInt8], chunks: [Int] = [1 << 20]) -> [ReaderEvent] {
    streamEvents(of: ADTSParser(), bytes, chunks: chunks)
}
