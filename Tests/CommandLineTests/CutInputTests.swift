// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import TestSupport
import Testing

/// Files of coded audio that end too early.
@Suite struct CutInputTests {
    @Test("A file with its index in front is damaged even if it is cut between two access units, in every command that reads it")
    func betweenUnits() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", "-o", "a.m4a", folder: folder).exitCode == 0)
        let whole = try bytes(ofFile: folder.path("a.m4a"))
        var reader = try MP4Reader(MemorySource(whole))
        var ends: [Int] = []
        while let event = try reader.nextEvent() {
            if case .accessUnit(let unit) = event { ends.append(unit.byteRange.upperBound) }
        }
        _ = try folder.write(Array(whole[..<ends[19]]), to: "cut.m4a")
        let missing = ends.count - 20
        for words in [["decode", "-o", "b.wav"], ["convert", "-o", "b.flac"], ["remux", "-o", "b.aac"], ["encode", "-o", "c.aac"]] {
            let run = try ProgramRun(LinnetProgram.path, words + ["cut.m4a"], folder: folder.url)
            #expect(run.exitCode == 6, "\(words)")
            #expect(
                words[0] == "encode"
                    ? run.errorText.contains("cut.m4a is damaged: \(missing) damaged or missing access units")
                    : run.errorText.contains("\(missing) access units of cut.m4a are missing: it is cut off"), "\(run.errorText)")
        }
        let probe = try LinnetProgram.run("probe", "cut.m4a", folder: folder)
        #expect(probe.exitCode == 6)
        #expect(probe.text.contains("Damage:        byte \(ends[19]), at"))
        #expect(probe.text.contains("s: \(missing) access units after the end of the file\n"))
    }

    @Test("A page of Ogg that is cut off is damage")
    func page() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 192_000, channels: 1, sampleRate: 48_000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", "-o", "a.opus", folder: folder).exitCode == 0)
        _ = try folder.write(Array(try bytes(ofFile: folder.path("a.opus")).dropLast(500)), to: "cut.opus")
        let run = try LinnetProgram.run("decode", "cut.opus", folder: folder)
        #expect(run.exitCode == 6)
        #expect(run.errorText.contains("bytes of cut.opus belong to no access unit"))
    }
}
