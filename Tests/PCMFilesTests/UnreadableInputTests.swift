// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct UnreadableInputTests {
    @Test("A missing file, a folder, an empty file and noise throw four distinct errors")
    func differentErrors() throws {
        let folder = try TemporaryFolder()
        #expect(throws: AudioFileError(.cannotOpen(systemCode: ENOENT), path: folder.path("none.wav"))) {
            try PCMFileReader(path: folder.path("none.wav"))
        }
        #expect(throws: AudioFileError(.inputIsDirectory, path: folder.url.path)) { try PCMFileReader(path: folder.url.path) }
        let empty = try folder.write([], to: "empty.wav")
        #expect(throws: AudioFileError(.unrecognizedFormat(reason: "it is empty"), path: empty)) { try PCMFileReader(path: empty) }
        let noise = try folder.write((0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }, to: "noise.wav")
        let error = #expect(throws: AudioFileError.self) { try PCMFileReader(path: noise) }
        guard case .unrecognizedFormat? = error?.pcmFault else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("The contents determine the format, not the name")
    func wrongExtension() throws {
        let folder = try TemporaryFolder()
        let wave = WAVEBytes(samples: PCMFileReaderTests.bytes16(40)).bytes
        for name in ["a.flac", "a.mp3", "a", "a.raw"] {
            #expect(try readAll(try folder.write(wave, to: name)).reader.properties.containerName == "WAV")
        }
    }
}
