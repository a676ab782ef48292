// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import PCMFiles
import TestSupport
import Testing

@Suite struct OutputFileByteSinkTests {
    private func write<Sink: ByteSink>(_ container: AudioFileFormat, to sink: Sink) throws -> Sink {
        let config = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))
        var options = ContainerWriterOptions()
        options.expectedUnitCount = 100
        var writer = try container.makeWriter(to: sink, config, options: options)
        for index in 0..<100 {
            let payload = [UInt8](repeating: UInt8(index), count: 100 + index)
            let time = MediaTime(value: Int64(index * 1024), timescale: 48_000)
            try writer.append(AccessUnit(payload: payload, presentationTime: time, duration: 1024))
        }
        try writer.finish(GaplessInfo(primingFrames: 2112, validFrames: 100_000, remainderFrames: 288))
        return writer.sink
    }

    @Test(
        "A container in a file equals one in memory",
        arguments: [AudioFileFormat.adts, .loas, .transportStream, .m4a, .fragmentedM4A, .caf])
    func file(container: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        let file = try OutputFile(path: folder.path("sound"))
        #expect(file.canOverwrite)
        _ = try write(container, to: file)
        try file.commit()
        #expect(try bytes(ofFile: folder.path("sound")) == write(container, to: MemorySink()).bytes)
    }

    @Test("Full disk throws noSpace")
    func fullDisk() throws {
        let file = try OutputFile(path: "/dev/full", overwrites: true)
        #expect(!file.canOverwrite)
        do {
            _ = try write(.adts, to: file)
            #expect(Bool(false), "nothing can be written there")
        } catch let error as ContainerError {
            #expect(AudioFileError(writing: "/dev/full", error) == AudioFileError(.noSpace, path: "/dev/full"))
            #expect(AudioFileError(writing: "/dev/full", ContainerError.emptyAccessUnit).code == .unsupportedContainer)
        }
        #expect(throws: ContainerError.sinkCannotOverwrite) { try write(.m4a, to: file) }
    }
}
