// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioConversion
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation
internal import PCMFiles

/// The format and settings of an output file.
struct FileOutputPlan {
    let format: AVAudioFormat

    private let fileType: AudioFileTypeID
    private let settings: SettingsDictionary

    /// Reads settings.
    ///
    /// - Throws: An error if a required setting is missing or the file format is unknown.
    init(url: URL, settings: [String: Any]) throws {
        guard let format = AVAudioFormat(settings: settings) else {
            throw NSError(
                avfaudio: kAudioFileUnsupportedDataFormatError,
                "incomplete settings; AVFormatIDKey, AVSampleRateKey and AVNumberOfChannelsKey are required")
        }
        guard format.hasUsableSampleRate else {
            throw NSError(avfaudio: kAudioFileUnsupportedDataFormatError, "the sample rate \(format.sampleRate) Hz is not an integer")
        }
        self.format = format
        self.settings = SettingsDictionary(settings)
        let named = self.settings.integer(AVAudioFileTypeKey).flatMap { AudioFileTypeID(exactly: $0) }
        guard let fileType = named ?? Self.fileTypes[url.pathExtension.lowercased()] else {
            throw NSError(
                avfaudio: kAudioFileUnsupportedFileTypeError, "no output format has the extension \(url.pathExtension)")
        }
        self.fileType = fileType
    }

    private static let fileTypes: [String: AudioFileTypeID] = [
        "wav": kAudioFileWAVEType, "wave": kAudioFileWAVEType, "aif": kAudioFileAIFFType, "aiff": kAudioFileAIFFType,
        "aifc": kAudioFileAIFCType, "caf": kAudioFileCAFType, "m4a": kAudioFileM4AType, "m4b": kAudioFileM4AType,
        "mp4": kAudioFileMPEG4Type, "aac": kAudioFileAAC_ADTSType, "adts": kAudioFileAAC_ADTSType, "flac": kAudioFileFLACType,
        "opus": oggType,
    ]
    /// Ogg, which Core Audio does not write.
    private static let oggType: AudioFileTypeID = 0x4F67_6766

    func makeSink(path: String) throws -> any FileSink {
        switch format.streamDescription.pointee.mFormatID {
        case kAudioFormatLinearPCM: return try pcmSink(path)
        case kAudioFormatFLAC: return try flacSink(path)
        default: return try codedSink(path)
        }
    }

    private func pcmSink(_ path: String) throws -> any FileSink {
        let file: AudioFileFormat
        switch fileType {
        case kAudioFileWAVEType, kAudioFileRF64Type: file = .wav
        case kAudioFileAIFFType, kAudioFileAIFCType: file = .aiff
        case kAudioFileCAFType: file = .caf
        default: throw unsupported("PCM goes to WAV, AIFF or CAF")
        }
        // WAV and AIFF have a fixed byte order.
        let description = format.streamDescription.pointee
        let isBigEndian = file == .aiff || file == .caf && description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
        guard let sampleFormat = SampleFormat(description) else {
            throw unsupported("use 16, 24 or 32-bit integers, or 32 or 64-bit floating point")
        }
        let encoding = SampleEncoding(sampleFormat, isBigEndian: isBigEndian)
        return try PCMFileSink(path: path, format: outputFormat(file, encoding), fileFormat: try writtenFormat(encoding))
    }

    private func flacSink(_ path: String) throws -> any FileSink {
        guard fileType == kAudioFileFLACType else { throw unsupported("write FLAC to FLAC files") }
        let bits = settings.integer(AVEncoderBitDepthHintKey) ?? settings.integer(AVLinearPCMBitDepthKey) ?? 16
        return try PCMFileSink(path: path, format: outputFormat(.flac, bits > 16 ? .int24 : .int16), fileFormat: format)
    }

    private func outputFormat(_ file: AudioFileFormat, _ encoding: SampleEncoding) -> PCMOutputFormat {
        PCMOutputFormat(
            file, encoding: encoding, sampleRate: Int(format.sampleRate), channelCount: Int(format.channelCount),
            channelLayout: ChannelLayout(format.channelLayout))
    }

    /// Returns the sample format of a file, which is always interleaved.
    private func writtenFormat(_ encoding: SampleEncoding) throws -> AVAudioFormat {
        var description = AudioStreamBasicDescription(
            AudioFormat(encoding, sampleRate: Int(format.sampleRate), channelCount: Int(format.channelCount)).streamDescription)
        guard let result = AVAudioFormat(streamDescription: &description, channelLayout: format.channelLayout) else {
            throw unsupported("the channels require a layout")
        }
        return result
    }

    /// Creates a file with another codec.
    private func codedSink(_ path: String) throws -> any FileSink {
        guard let configuration = AudioEncoderConfiguration(format, settings: settings) else {
            throw unsupported("no encoder")
        }
        let container: AudioFileFormat
        switch fileType {
        case kAudioFileM4AType, kAudioFileM4BType, kAudioFileMPEG4Type: container = .m4a
        case kAudioFileAAC_ADTSType: container = .adts
        case kAudioFileCAFType: container = .caf
        case Self.oggType: container = .oggOpus
        default: throw unsupported("write it to CAF, AAC and Opus to M4A and MP4, AAC to ADTS, Opus to Ogg")
        }
        let encoder: any AudioPacketEncoder
        do {
            encoder = try configuration.makeEncoder()
        } catch {
            throw NSError(
                avfaudio: kAudioFileUnsupportedDataFormatError, String(describing: error),
                underlying: error)
        }
        return try CodedFileSink(path: path, container: container, encoder: encoder, fileFormat: format)
    }

    /// Returns an error for the format.
    private func unsupported(_ reason: String) -> NSError {
        NSError(avfaudio: kAudioFileUnsupportedDataFormatError, "unsupported format \(format): \(reason)")
    }
}

extension SampleFormat {
    /// Creates the sample format for a description; `nil` for others.
    fileprivate init?(_ description: AudioStreamBasicDescription) {
        switch (description.mFormatFlags & kAudioFormatFlagIsFloat != 0, description.mBitsPerChannel) {
        case (false, 16): self = .int16
        case (false, 24): self = .int24
        case (false, 32): self = .int32
        case (true, 32): self = .float32
        case (true, 64): self = .float64
        default: return nil
        }
    }
}
#endif
