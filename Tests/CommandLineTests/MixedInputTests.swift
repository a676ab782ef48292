// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import TestSupport
import Testing

/// Valid and unrecognisable inputs in one command.
@Suite struct MixedInputTests {
    @Test("Files encoded in parallel with hundreds of unrecognisable ones have the same bytes as when encoded alone")
    func goodAmongUnrecognisable() throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 1200)
        let lengths = (0..<24).map { _ in Int.random(in: 5000...40_000, using: &random) }
        for (index, frames) in lengths.enumerated() {
            // FLAC goes through libsndfile, WAV does not.
            try folder.writeSignal(index % 2 == 0 ? "good\(index).flac" : "good\(index).wav", frames: frames)
        }
        for index in 0..<400 {
            let size = Int.random(in: 1...6000, using: &random)
            _ = try folder.write((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }, to: "bad\(index).wav")
        }
        let alone = try LinnetProgram.shell(
            "mkdir alone together && for file in good*; do linnet encode --quiet --threads 1 $file -o alone/ || exit; done", folder: folder)
        #expect(alone.exitCode == 0 && alone.errorText.isEmpty)
        // The names are sorted so that every thread gets both kinds.
        let together = try LinnetProgram.shell(
            "linnet encode --quiet --threads 8 --jobs 8 $(ls good* bad* | sort -t d -k 2 -V) -o together/", folder: folder)
        #expect(together.exitCode != 0)
        #expect(together.errorText.split(separator: "\n").filter { $0.contains("bad") }.count == 400)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("alone")).sorted()
        #expect(names.count == 24)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("together")).sorted() == names)
        for name in names {
            #expect(try bytes(ofFile: folder.path("together/\(name)")) == bytes(ofFile: folder.path("alone/\(name)")), "\(name)")
        }
    }
}
