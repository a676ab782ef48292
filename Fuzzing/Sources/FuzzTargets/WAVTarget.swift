// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import SystemFiles

@testable import PCMFiles

extension FuzzTarget {
    /// Reads the header of a WAV file, and the tags after its samples.
    ///
    /// The samples begin in the file, after a header of a format that can be read; tags leave that position, and are the same when they have
    /// been written and read again.
    static let wav = FuzzTarget("wav") { bytes in
        let input = FileInput(bytes)
        guard var header = (try? WAVEHeader(reading: input)) ?? nil else { return }
        let firstSample = input.position
        precondition((44...bytes.count).contains(firstSample))
        precondition((1...256).contains(header.channelCount) && header.sampleRate > 0 && header.declaredByteCount ?? 0 >= 0)
        do {
            try header.readTrailingTags(input)
        } catch {
            fatalError("\(error)")
        }
        precondition(input.position == firstSample)
        let list = WAVEInformation(header.tags).chunk
        let lengths = [header.tags.title, header.tags.artist, header.tags.album, header.tags.date].map { $0?.utf8.count ?? 0 }
        guard lengths.allSatisfy({ $0 <= 8192 }) else { return }
        precondition(WAVEInformation(list: Array(list.dropFirst(8))).tags == header.tags)
    }
}
