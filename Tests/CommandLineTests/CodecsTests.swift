// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

struct CodecsTests {
    /// Returns a codec's entry of `linnet codecs --json`.
    static func codec(_ kind: String, _ code: String, rate: String = "48000", channels: String = "2") throws -> [String: Any] {
        let run = try LinnetProgram.run("codecs", "--json", "--rate", rate, "--channels", channels)
        let list = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        return try #require(list.first { $0["kind"] as? String == kind && $0["codec"] as? String == code })
    }

    @Test("The table has a row for each encoder and decoder")
    func table() throws {
        let text = try LinnetProgram.run("codecs").text
        for name in ["AAC-LC", "HE-AAC", "HE-AAC v2", "Opus", "iLBC", "Apple Lossless"] { #expect(text.contains("\n\(name) "), "\(name)") }
        #expect(text.contains("15-576 kb/s (48 kHz, stereo)"))
        #expect(text.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test("AAC-LC and HE-AAC have seven channels, which need a layout")
    func sevenChannels() throws {
        for code in ["aac ", "aach"] {
            #expect(try Self.codec("encoder", code, channels: "7")["channels"] as? [Int] == Array(1...8))
            #expect(try Self.codec("decoder", code)["channels"] as? [Int] == Array(1...8))
        }
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", channels: 7, sampleRate: 48_000, layout: ChannelConfiguration(rawValue: 11)?.layout.inWAVOrder)
        #expect(try LinnetProgram.shell("linnet encode a.wav -o a.m4a && linnet decode a.m4a -o b.wav", folder: folder).exitCode == 0)
        let unknown = try LinnetProgram.shell("head -c 140000 /dev/zero | linnet encode --raw s16,48000,7 - -o a.aac", folder: folder)
        #expect(unknown.exitCode == 10 && unknown.errorText.contains("; 7 channels need the layout 6.1"), "\(unknown.errorText)")
    }

    @Test("JSON has rates, layouts, delays and the bit rates for a format")
    func json() throws {
        let encoder = try Self.codec("encoder", "aac ")
        #expect(encoder["framesPerPacket"] as? [Int] == [960, 1024] && encoder["delay"] as? [Int] == [2112])
        #expect((encoder["sampleRates"] as? [Int])?.contains(44_100) == true)
        #expect((encoder["layouts"] as? [String])?.contains("left right center lowFrequency sideLeft sideRight") == true)
        #expect(encoder["isHardware"] as? Bool == false && encoder["maker"] as? String == "linnet")
        let mono = try Self.codec("encoder", "opus", rate: "16000", channels: "1")
        let bitRates = try #require(mono["bitRates"] as? [String: Any])
        #expect(bitRates["sampleRate"] as? Int == 16_000 && bitRates["ranges"] as? [[Int]] == [[6000, 255_000]])
        #expect(try Self.codec("decoder", "aac ")["bitRates"] == nil)
    }
}
