// SPDX-License-Identifier: Apache-2.0

public import AudioMeasures
internal import AudioPrimitives
package import PCMFiles
internal import SystemFiles

extension AudioSignal {
    /// Sample frames read at a time.
    private static let readFrames = 65_536

    /// Reads a whole file of PCM or of coded audio.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - sampleRate: The sample rate in hertz that the signal is converted to; nil for that of the file.
    /// - Throws: ``AudioFileError`` if the file can't be read, decoded or converted.
    public init(path: String, sampleRate: Int? = nil) throws(AudioFileError) {
        var warnings: [PCMFileWarning] = []
        try self.init(path: path, sampleRate: sampleRate, warnings: &warnings)
    }

    /// Reads a whole file of PCM or of coded audio in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - sampleRate: The sample rate in hertz that the signal is converted to; nil for that of the file.
    /// - Throws: ``AudioFileError`` if the bytes are no such file, or can't be decoded or converted.
    public init(bytes: [UInt8], sampleRate: Int? = nil) throws(AudioFileError) {
        self = try AudioFileError.attempt(FileInput.memoryName) { try Self.read(AudioFile(bytes: bytes), sampleRate: sampleRate).0 }
    }

    /// Reads a whole file, and tells what is missing of it.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - sampleRate: The sample rate in hertz that the signal is converted to; nil for that of the file.
    ///   - warnings: The array to which problems of the file are added.
    /// - Throws: ``AudioFileError`` if the file can't be read, decoded or converted.
    package init(path: String, sampleRate: Int? = nil, warnings: inout [PCMFileWarning]) throws(AudioFileError) {
        let (signal, found) = try AudioFileError.attempt(path) { try Self.read(AudioFile(path: path), sampleRate: sampleRate) }
        self = signal
        warnings += found
    }

    /// Reads a whole file from its start, and returns its problems too.
    private static func read(_ file: AudioFile, sampleRate: Int?) throws -> (AudioSignal, [PCMFileWarning]) {
        let rate = sampleRate ?? file.sampleRate
        var channels = [[Float]](repeating: [], count: file.channelCount)
        let append = { (buffer: PCMBuffer) in
            for channel in channels.indices { channels[channel] += buffer.samples[buffer.range(ofChannel: channel)] }
        }
        let resampler =
            rate == file.sampleRate ? nil : try Resampler(from: file.sampleRate, to: rate, channelCount: file.channelCount)
        var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: Self.readFrames)
        while true {
            try file.read(into: &buffer)
            guard buffer.frameCount > 0 else { break }
            append(try resampler?.process(buffer) ?? buffer)
        }
        if let resampler { append(try resampler.finish()) }
        return (AudioSignal(sampleRate: rate, channels: channels), file.warnings)
    }
}
