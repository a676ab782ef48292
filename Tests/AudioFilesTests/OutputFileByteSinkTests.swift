// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct OutputFileByteSinkTests {
    private func write(_ container: WritableContainer, to sink: inout some ByteSink) throws {
        let config = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))
        var writer = try container.makeWriter(config, expectedUnitCount: 100)
        for index in 0..<100 {
            let payload = [UInt8](repeating: UInt8(index), count: 100 + index)
            let time = MediaTime(value: Int64(index * 1024), timescale: 48_000)
            try writer.append(AccessUnit(payload: payload, presentationTime: time, duration: 1024), to: &sink)
        }
        try writer.finish(GaplessInfo(primingFrames: 2112, validFrames: 100_000, remainderFrames: 288), to: &sink)
    }

    @Test("A container in a file is the same as in memory", arguments: WritableContainer.allCases)
    func file(container: WritableContainer) throws {
        let folder = try TemporaryFolder()
        var file = try OutputFile(path: folder.path("sound"))
        #expect(file.canOverwrite)
        try write(container, to: &file)
        try file.commit()
        var memory: [UInt8] = []
        try write(container, to: &memory)
        #expect(try bytes(ofFile: folder.path("sound")) == memory)
    }

    @Test("A full disk is told as such")
    func fullDisk() throws {
        var file = try OutputFile(path: "/dev/full", overwrites: true)
        #expect(!file.canOverwrite)
        do {
            try write(.adts, to: &file)
            #expect(Bool(false), "nothing can be written there")
        } catch let error as ContainerError {
            #expect(OutputError(error, path: "/dev/full") == .noSpace(path: "/dev/full"))
            #expect(OutputError(.emptyAccessUnit, path: "/dev/full") == nil)
        }
        #expect(throws: ContainerError.sinkCannotOverwrite) { try write(.m4a, to: &file) }
    }
}
