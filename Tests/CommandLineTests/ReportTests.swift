// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `linnet report`.
@Suite struct ReportTests {
    @Test("Writes the page next to its file and figures to a folder, without overwriting")
    func page() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav")
        _ = try LinnetProgram.run("encode", "in.wav", "-o", "in.m4a", "--quiet", folder: folder)
        let run = try LinnetProgram.run("report", "--reference", "in.wav", "in.m4a", "--pictures", "p", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(run.text.hasPrefix("in.m4a -> in.html: "))
        #expect(String(decoding: try bytes(ofFile: folder.path("in.html")), as: UTF8.self).hasPrefix("<!DOCTYPE html>"))
        let pictures = try FileManager.default.contentsOfDirectory(atPath: folder.path("p"))
        #expect(pictures.contains("1-waveform.svg") && pictures.contains("2-spectrogram.png"))
        let again = try LinnetProgram.run("report", "in.m4a", folder: folder)
        #expect(again.exitCode == 7 && again.errorText.contains("--force"))
    }

    @Test("The results of a batch make a page, to standard output too")
    func batch() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array(#"{"status": "done", "input": "a.wav", "seconds": 3}"#.utf8), to: "results.jsonl")
        let run = try LinnetProgram.run("report", "results.jsonl", "-o", "-", folder: folder)
        #expect(run.exitCode == 0 && run.text.contains("<h1>Batch of 1 file</h1>"), "\(run.errorText)")
    }

    @Test("A page without a requested comparison has a warning and the status of compare")
    func otherChannelCount() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("one.wav", channels: 1)
        try folder.writeSignal("two.wav", channels: 2)
        let run = try LinnetProgram.run("report", "one.wav", "--reference", "two.wav", "-o", "a.html", folder: folder)
        #expect(run.exitCode == 10 && run.text.hasPrefix("one.wav -> a.html: "), "\(run)")
        #expect(run.errorText.hasPrefix("linnet: warning: cannot compare one.wav with the reference: another channel count"))
    }

    @Test("Missing files, standard input and unsuitable options are rejected in one line and leave no file")
    func refusals() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("{}".utf8), to: "results.jsonl")
        _ = try folder.write(Array("no audio".utf8), to: "a.txt")
        let cases: [([String], Int32)] = [
            (["report"], 2), (["report", "-"], 2), (["report", "missing.wav"], 3), (["report", "results.jsonl", "--reference", "a"], 2),
            (["report", "a.txt"], 5),
        ]
        for (words, exitCode) in cases {
            let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            #expect(run.exitCode == exitCode, "\(words): \(run.errorText)")
            #expect(run.errorText.split(separator: "\n").count == 1, "\(words)")
        }
        #expect(try folder.contents == ["a.txt", "results.jsonl"])
    }
}
