// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import TestSupport
import Testing

@Suite struct ProfileTests {
    @Test(
        "The profile asked for is made, named and recognised",
        arguments: [("he", "HE-AAC"), ("he-v2", "HE-AAC v2"), ("auto", "HE-AAC v2")], ["a.m4a", "a.caf", "a.loas"])
    func profiles(profile: (option: String, name: String), output: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSound("in.wav", frames: 9_001)
        let words = ["encode", "in.wav", "-o", output, "-b", "20k", "--profile", profile.option]
        let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        #expect(run.text.hasPrefix("in.wav -> \(output): \(profile.name), 9001 frames, "))
        let probe = try ProgramRun(LinnetProgram.path, ["probe", output], folder: folder.url)
        #expect(probe.text.contains(profile.name), "\(probe.text)")
    }

    @Test("What can't be is refused with what can")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.writeSound("in.wav", frames: 4_410)
        try folder.writeSound("slow.wav", frames: 441, sampleRate: 12_000)
        let cases: [(words: [String], code: Int32, message: String)] = [
            (["in.wav", "--profile", "he3"], 2, "--profile he3 can't be used; it takes lc, he, he-v2, auto"),
            (["in.wav", "--signaling", "hierarchical"], 2, "--signaling is about HE-AAC: add --profile he, he-v2 or auto"),
            (
                ["in.wav", "--mono", "--profile", "he-v2"], 10,
                "can't encode in.wav: HE-AAC v2 can't be had with this sample rate and these channels; AAC-LC, HE-AAC can"
            ),
            (
                ["slow.wav", "--profile", "he"], 10,
                "can't encode slow.wav: HE-AAC can't be had with this sample rate and these channels; AAC-LC can"
            ),
            (["in.wav", "--profile", "he-v2", "-b", "200k"], 10, "can't encode in.wav: 200000 bit/s can't be had"),
        ]
        for (words, code, message) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["encode"] + words, folder: folder.url)
            #expect(run.exitCode == code, "\(words): \(run.errorText)")
            #expect(run.errorText.hasPrefix("linnet: " + message), "\(words): \(run.errorText)")
        }
    }
}
