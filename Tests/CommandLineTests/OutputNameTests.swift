// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import TestSupport
import Testing

/// Command lines of other programs, in which the output is the last word.
@Suite struct OutputNameTests {
    @Test("IN OUT without -o is refused with the right command, and nothing is read or written, whether OUT exists or not")
    func inputAndOutput() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 5000)
        #expect(try LinnetProgram.run("encode", "--quiet", "in.wav", "-o", "old.m4a", folder: folder).exitCode == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        for (command, input, output) in [
            ("encode", "in.wav", "out.m4a"), ("encode", "in.wav", "old.m4a"), ("encode", "in.wav", "out.opus"),
            ("decode", "old.m4a", "out.wav"), ("decode", "old.m4a", "in.wav"), ("convert", "in.wav", "out.flac"),
        ] {
            let run = try LinnetProgram.run(command, input, output, folder: folder)
            #expect(run.exitCode == 2, "\(command) \(output)")
            #expect(run.errorText.contains("linnet \(command) \(input) -o \(output)"), "\(run.errorText)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
        // Several inputs that exist, of one kind, are inputs.
        #expect(try LinnetProgram.run("encode", "--quiet", "old.m4a", "-o", "new.m4a", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("decode", "--quiet", "old.m4a", "new.m4a", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("encode", "--quiet", "old.m4a", "new.m4a", folder: folder).exitCode == 0)
    }

    @Test("Several inputs don't go into a folder with the name of a file", arguments: ["encode", "decode", "convert"])
    func folderNamedLikeFile(command: String) throws {
        let folder = try TemporaryFolder()
        let output = command == "encode" ? "one.m4a" : "one.wav"
        let run = try LinnetProgram.run(command, "a.m4a", "b.m4a", "-o", output, folder: folder)
        #expect(run.exitCode == 2 && run.errorText.contains("several inputs need a folder, and \(output) is the name of a file"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("Commands that write one output refuse two of them", arguments: ["encode", "decode", "convert", "remux", "batch", "report"])
    func twoOutputs(command: String) throws {
        let run = try LinnetProgram.run(command, "a.wav", "-o", "a1.m4a", "-o", "a2.m4a", folder: try TemporaryFolder())
        #expect(run.exitCode == 2 && run.errorText.contains("--output was given more than once"))
    }
}
