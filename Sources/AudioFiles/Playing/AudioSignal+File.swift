// SPDX-License-Identifier: Apache-2.0

public import AudioMeasures
public import PCMFiles

extension AudioSignal {
    /// Reads a whole file of PCM or encoded audio.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - sampleRate: The sample rate to convert to, in hertz, or `nil` for the file's.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, decoded or converted.
    public init(path: String, sampleRate: Int? = nil) throws(AudioFileError) {
        var warnings: [PCMFileWarning] = []
        try self.init(.file(path), sampleRate: sampleRate, warnings: &warnings)
    }

    /// Reads a whole file of PCM or encoded audio in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - sampleRate: The sample rate to convert to, in hertz, or `nil` for the file's.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes cannot be decoded or converted.
    public init(bytes: [UInt8], sampleRate: Int? = nil) throws(AudioFileError) {
        try self.init(AudioFile(bytes: bytes), sampleRate)
    }

    /// Reads a whole file and reports its problems.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate to convert to, in hertz, or `nil` for the file's.
    ///   - warnings: Problems of the file are appended here.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, decoded or converted.
    package init(_ input: AudioFileInput, sampleRate: Int? = nil, warnings: inout [PCMFileWarning]) throws(AudioFileError) {
        let file = try AudioFile(input)
        try self.init(file, sampleRate)
        warnings += file.warnings
    }

    private init(_ file: AudioFile, _ sampleRate: Int?) throws(AudioFileError) {
        self.init(sampleRate: sampleRate ?? file.sampleRate, channels: try file.samples(sampleRate: sampleRate))
    }
}
