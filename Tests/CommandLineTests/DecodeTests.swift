// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioContainers
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct DecodeTests {
    /// An ADTS file of a tone in the folder, and its number of units.
    private func toneFile(_ folder: TemporaryFolder) throws -> Int {
        var sound = PCMBuffer(sampleRate: 16_000, channelCount: 1, frameCapacity: 8000)
        for frame in 0..<8000 { sound.samples[frame] = 0.3 * Float(sin(Double(frame) * 0.2)) }
        let encoder = try AACEncoder(
            AACEncoderConfiguration(sampleRate: 16_000, channelCount: 1, rateControl: .constant(bitRate: 32_000), effort: .fast))
        var writer = try ADTSWriter(to: MemorySink(), encoder.audioSpecificConfig)
        var count = 0
        func take(_ unit: AccessUnit) throws {
            try writer.append(unit)
            count += 1
        }
        try encoder.encode(sound, take)
        _ = try encoder.finish(take)
        try Data(writer.sink.bytes).write(to: folder.url.appendingPathComponent("tone.aac"))
        return count
    }

    private func frameCount(_ name: String, _ folder: TemporaryFolder) throws -> Int {
        let reader = try PCMFileReader(path: folder.url.appendingPathComponent(name).path)
        var count = 0
        var buffer = PCMBuffer(sampleRate: 16_000, channelCount: 1, frameCapacity: 4096)
        repeat {
            try reader.read(into: &buffer)
            count += buffer.frameCount
        } while buffer.frameCount > 0
        return count
    }

    @Test func filesAndPipesGetTheSameSound() throws {
        let folder = try TemporaryFolder()
        let count = try toneFile(folder)
        #expect(try LinnetProgram.run("decode", "tone.aac", folder: folder).exitCode == 0)
        #expect(try frameCount("tone.wav", folder) == count * 1024)
        let pipe = try LinnetProgram.shell("linnet decode - -o - < tone.aac > pipe.wav", folder: folder)
        #expect(pipe.exitCode == 0)
        #expect(try frameCount("pipe.wav", folder) == count * 1024)
        #expect(try LinnetProgram.run("decode", "tone.aac", "-o", "part.flac", "--seconds", "0.1-0.3", folder: folder).exitCode == 0)
        #expect(try frameCount("part.flac", folder) == 3200)
    }

    @Test func failuresHaveTheirExitCodes() throws {
        let folder = try TemporaryFolder()
        _ = try toneFile(folder)
        #expect(try LinnetProgram.run("decode", "missing.aac", folder: folder).exitCode == 3)
        #expect(try LinnetProgram.run("decode", "tone.aac", "-o", "tone.mp3", folder: folder).exitCode == 2)
        #expect(try LinnetProgram.run("decode", "tone.aac", "--seconds", "5", folder: folder).exitCode == 2)
        #expect(try LinnetProgram.run("decode", "tone.aac", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("decode", "tone.aac", folder: folder).exitCode == 7)
        #expect(try LinnetProgram.run("decode", "tone.wav", "-o", "x.wav", folder: folder).exitCode == 5)
        let cut = try LinnetProgram.shell("head -c 700 tone.aac > cut.aac; linnet decode cut.aac", folder: folder)
        #expect(cut.exitCode == 6)
        #expect(try frameCount("cut.wav", folder) > 0)
    }

    @Test func aStreamThatChangesItsFormatIsConvertedToTheOneItBeginsWith() throws {
        let folder = try TemporaryFolder()
        try folder.writeSound("a.wav", frames: 8000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", folder: folder).exitCode == 0)
        let first = try PCMFileReader(path: folder.path("a.wav")).properties
        let count = try toneFile(folder)
        let run = try LinnetProgram.shell("cat a.aac tone.aac a.aac > all.aac; linnet decode all.aac", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(
            run.errorText.hasPrefix("linnet: note: all.aac changes its format 2 times; all of it is converted to \(first.sampleRate) Hz"))
        #expect(try LinnetProgram.run("decode", "a.aac", "-o", "one.wav", folder: folder).exitCode == 0)
        let found = try PCMFileReader(path: folder.path("all.wav")).properties
        #expect(found.sampleRate == first.sampleRate && found.channelCount == first.channelCount)
        let expected = 2 * (try PCMFileReader(path: folder.path("one.wav")).properties.frameCount ?? 0)
        let converted = Double(count * 1024 * first.sampleRate) / 16_000
        #expect(abs(Double((found.frameCount ?? 0) - expected) - converted) <= 4)
    }
}
