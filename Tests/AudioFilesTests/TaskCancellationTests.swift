// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct TaskCancellationTests {
    /// The length of the signals: many reads, and several encoder segments.
    private static let frameCount = 700_000

    /// Returns two channels of noise.
    private static func noise() -> PCMBuffer {
        var random = SeededRandom(seed: 3)
        let channel = random.samples(frameCount, amplitude: 0.25)
        return PCMBuffer(channels: [channel, channel.reversed()], sampleRate: 48_000)
    }

    private static func isCancelled(_ error: (any Error)?) -> Bool { (error as? AudioFileError)?.code == .cancelled }

    @Test(arguments: ["out.m4a", "out.aac", "out.caf", "out.loas"], [1, 3])
    func `Cancelling an encoder's task throws and leaves no output`(name: String, threadCount: Int) async throws {
        let folder = try TemporaryFolder()
        let input = try folder.write(Self.noise().encoded(as: .wav), to: "in.wav")
        for rateControl in [
            AACEncoderConfiguration.RateControl.variable(quality: 30), .average(bitRate: 96_000), .constant(bitRate: 96_000),
        ] {
            let error = await TaskCancellation.error { progress in
                var configuration = FileConverterConfiguration()
                configuration.threadCount = threadCount
                configuration.settings.rateControl = rateControl
                configuration.settings.effort = .fast
                return try await FileEncoder(input: input, output: folder.path(name), configuration: configuration).run { _ in progress() }
            }
            #expect(Self.isCancelled(error), "\(rateControl), \(String(describing: error))")
            #expect(try folder.contents == ["in.wav"])
        }
    }

    @Test func `Cancelling keeps the file that would have been overwritten`() async throws {
        let folder = try TemporaryFolder()
        let input = try folder.write(Self.noise().encoded(as: .wav), to: "in.wav")
        let output = try folder.write([1, 2, 3], to: "out.m4a")
        let error = await TaskCancellation.error { progress in
            var configuration = FileConverterConfiguration()
            configuration.overwrites = true
            return try await FileEncoder(input: input, output: output, configuration: configuration).run { _ in progress() }
        }
        #expect(Self.isCancelled(error))
        #expect(try folder.contents == ["in.wav", "out.m4a"] && bytes(ofFile: output) == [1, 2, 3])
    }

    @Test(arguments: [("in.wav", "out.aiff"), ("in.wav", "out.m4a"), ("in.m4a", "out.wav"), ("in.m4a", "out.aac")])
    func `Cancelling a converter's task throws and leaves no output`(from: String, to: String) async throws {
        let folder = try TemporaryFolder()
        let audio = Self.noise()
        let input = try folder.write(from == "in.wav" ? audio.encoded(as: .wav) : audio.encoded(as: .m4a, bitRate: 128_000), to: from)
        let error = await TaskCancellation.error { progress in
            try await FileConverter(input: input, output: folder.path(to)).run { _ in progress() }
        }
        #expect(Self.isCancelled(error), "\(String(describing: error))")
        #expect(try folder.contents == [from])
    }

    @Test func `Cancelling a remuxer's task between two reads throws and leaves no output`() async throws {
        let folder = try TemporaryFolder()
        let stream = try Self.noise().encoded(as: .adts, bitRate: 128_000)
        let pipe = folder.path("in.aac")
        #expect(mkfifo(pipe, 0o600) == 0)
        let output = folder.path("out.m4a")
        let task = Task { try await FileRemuxer(input: pipe, output: output).run() }
        // The pipe buffers less than half of the stream. When the write returns, the remuxer has read the remainder and waits for more.
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global().async {
                done.resume(
                    with: Result {
                        // Also open for reading, so that writing never fails with a broken pipe.
                        let file = FileHandle(fileDescriptor: open(pipe, O_RDWR), closeOnDealloc: true)
                        try file.write(contentsOf: Data(stream[..<(stream.count / 2)]))
                        task.cancel()
                        try file.write(contentsOf: Data(stream[(stream.count / 2)...].prefix(4096)))
                        try file.close()
                    })
            }
        }
        let error = await #expect(throws: AudioFileError.self) { try await task.value }
        #expect(Self.isCancelled(error))
        #expect(try folder.contents == ["in.aac"])
    }

    @Test func `Cancelling a loudness measurement's task throws`() async throws {
        let bytes = try Self.noise().encoded(as: .wav)
        let error = await TaskCancellation.error { progress in
            try await FileLoudness(of: .bytes(bytes, name: "noise")).run { _ in progress() }
        }
        #expect(Self.isCancelled(error) && (error as? AudioFileError)?.path == "noise")
    }

    @Test func `A task that is already cancelled encodes nothing`() async throws {
        let folder = try TemporaryFolder()
        let input = try folder.write(Self.noise().encoded(as: .wav), to: "in.wav")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await FileEncoder(input: input, output: folder.path("out.m4a")).run(progress: nil)
        }
        let error = await #expect(throws: AudioFileError.self) { try await task.value }
        #expect(Self.isCancelled(error))
        #expect(try folder.contents == ["in.wav"])
    }
}
