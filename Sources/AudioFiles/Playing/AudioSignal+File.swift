// SPDX-License-Identifier: Apache-2.0

public import AudioMeasures
public import PCMFiles

extension AudioSignal {
    /// Reads a whole file of PCM or of coded audio.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - sampleRate: The sample rate in hertz that the signal is converted to; nil for that of the file.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read, decoded or converted.
    public init(path: String, sampleRate: Int? = nil) throws(AudioFileError) {
        var warnings: [PCMFileWarning] = []
        try self.init(path: path, sampleRate: sampleRate, warnings: &warnings)
    }

    /// Reads a whole file of PCM or of coded audio in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - sampleRate: The sample rate in hertz that the signal is converted to; nil for that of the file.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes are no such file, or can't be decoded or converted.
    public init(bytes: [UInt8], sampleRate: Int? = nil) throws(AudioFileError) {
        try self.init(AudioFile(bytes: bytes), sampleRate)
    }

    /// Reads a whole file, and tells what is missing of it.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - sampleRate: The sample rate in hertz that the signal is converted to; nil for that of the file.
    ///   - warnings: The array to which problems of the file are added.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read, decoded or converted.
    package init(path: String, sampleRate: Int? = nil, warnings: inout [PCMFileWarning]) throws(AudioFileError) {
        let file = try AudioFile(path: path)
        try self.init(file, sampleRate)
        warnings += file.warnings
    }

    /// Reads a whole file from its start.
    private init(_ file: AudioFile, _ sampleRate: Int?) throws(AudioFileError) {
        self.init(sampleRate: sampleRate ?? file.sampleRate, channels: try file.samples(sampleRate: sampleRate))
    }
}
