// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import Foundation
import MPEG4Audio
import PCMFiles
import TestSupport
import Testing
import TransformCoding

/// Lossless gains of xHE-AAC.
@Suite struct UnifiedGainTests {
    /// Writes a stream of `Tests/Vectors/USAC` to an M4A file.
    private func write(_ name: String, _ folder: TemporaryFolder) throws -> String {
        let file = USACVectorFile(name)
        var writer = try LOASWriter(to: MemorySink(), try AudioSpecificConfig(parsing: file.configuration))
        for unit in file.accessUnits { try writer.append(AccessUnit(unit)) }
        try writer.finish(nil)
        let path = try folder.write(writer.sink.bytes, to: "in.loas")
        _ = try FileRemuxer(input: path, output: folder.path("a.m4a")).run()
        return folder.path("a.m4a")
    }

    @Test(
        "Frames in the frequency domain change by the gain, with noise filling, prediction, SBR, MPEG Surround and pre-rolls",
        arguments: [
            "fd-48k-st-nf", "fd-48k-st-rap", "fd-768-44k-st-cpi", "sbr21-44k-st-mps", "sbr21-44k-st-tes", "sbr83-44k-st", "sbr41-48k-m",
        ])
    func frequencyDomain(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try write(name, folder)
        let original = try bytes(ofFile: path)
        let before = try decodedChannels(path)
        let stated = try AccessUnitReader(path: path).metadata.loudness
        // Its first envelopes cannot be quieter.
        let gain = name == "sbr21-44k-st-tes" ? 3.0 : -3
        let result = try LosslessGain(decibels: gain).run([.init(input: path, output: nil)])[0]
        #expect(abs(result.gain - gain / 3 * 3.0103) < 1e-4)
        let factor = Float(pow(10, result.gain / 20))
        for (old, new) in zip(before, try decodedChannels(path)) {
            let energy = old.reduce(0) { $0 + $1 * $1 }
            let difference = zip(old, new).reduce(0) { $0 + ($1.0 * factor - $1.1) * ($1.0 * factor - $1.1) }
            #expect(old.count == new.count && difference < 1e-6 * energy)
        }
        if let old = stated?.integratedLoudness {
            #expect(try AccessUnitReader(path: path).metadata.loudness?.integratedLoudness == old + gain)
        }
        _ = try LosslessGain.undo.run([.init(input: path, output: nil)])
        #expect(try bytes(ofFile: path) == original)
    }

    @Test(
        "Linear prediction and predictive vectors are refused by name",
        arguments: [
            ("rl-24k", "linear prediction domain"), ("sbr21-32k-m-pvc", "(PVC)"), ("sw-24k-m-music", "linear prediction domain"),
        ])
    func refusals(name: String, text: String) throws {
        let folder = try TemporaryFolder()
        let path = try write(name, folder)
        let original = try bytes(ofFile: path)
        let error = #expect(throws: AudioFileError.self) { try LosslessGain(decibels: -3).run([.init(input: path, output: nil)]) }
        #expect(error?.description.contains(text) == true, "\(String(describing: error))")
        #expect(try bytes(ofFile: path) == original)
    }
}
