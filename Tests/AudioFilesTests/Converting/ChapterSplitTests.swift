// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Divisions between pauses.
@Suite struct ChapterSplitTests {
    @Test("A file is divided in its pauses, without a part of silence at the end", arguments: [0, 4])
    func pauses(secondsAtEnd: Int) throws {
        let folder = try TemporaryFolder()
        let rate = 8000
        let sound = (0..<12 * rate).map { $0.isMultiple(of: 2) ? UInt8(0x40) : 0xC0 }
        let silence = [UInt8](repeating: 0, count: 4 * rate)
        let path = try folder.write(sound + silence + sound + silence.prefix(secondsAtEnd * rate), to: "in.pcm")
        let raw = AudioFormat(.signed8, sampleRate: rate, channelCount: 1)
        let parts = try ChapterSplit(path: path, raw: raw, silenceLevel: -50).parts
        #expect(parts.map(\.range.lowerBound) == [.zero, .seconds(13)])
    }
}
