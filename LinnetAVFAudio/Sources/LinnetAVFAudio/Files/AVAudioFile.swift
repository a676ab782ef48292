// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioPrimitives
internal import CLinnetAudioTypes
public import Foundation

/// A file that is read or written as PCM, whatever its coding.
///
/// Read are WAV, AIFF, CAF, M4A, MP4, ADTS, FLAC and all else that linnet plays; written are PCM in WAV, AIFF and CAF, FLAC, and AAC in M4A,
/// ADTS and CAF. A file belongs to one thread at a time.
open class AVAudioFile: NSObject {
    /// The location of the file.
    public let url: URL

    /// The format of the audio in the file.
    public let fileFormat: AVAudioFormat

    /// The format of buffers: the file's rate and channels, by default as deinterleaved 32-bit floating point.
    public let processingFormat: AVAudioFormat

    private var contents: Contents

    /// The side of the file.
    private enum Contents {
        case source(any FileSource)
        case sink(any FileSink)
        case closed(length: Int)
    }

    /// Frames that were read or written, the position after a seek included.
    private var position = 0

    /// Opens a file for reading, with the standard format for buffers.
    ///
    /// - Parameter fileURL: The URL of a file.
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if the file can't be opened or its format is not supported.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file for reading.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of a file.
    ///   - format: The samples of ``processingFormat``.
    ///   - interleaved: Whether those are interleaved.
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if the file can't be opened or its format is not supported.
    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        let source = try NSError.asAVFAudio { try openFileSource(path: try Self.path(of: fileURL)) }
        url = fileURL
        let description = source.description
        fileFormat = description.format
        processingFormat = try Self.processingFormat(
            format, sampleRate: Double(description.sampleRate), channelCount: Int(description.format.channelCount),
            layout: description.channelLayout, isInterleaved: interleaved)
        contents = .source(source)
    }

    /// Creates a file, or replaces an existing one, with the standard format for buffers.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of the file; its extension decides the file's format unless the settings name one.
    ///   - settings: The format of the audio in the file, and settings of its encoder.
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if the settings are not supported or the file can't be created.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Creates a file, or replaces an existing one.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of the file; its extension decides the file's format unless the settings name one.
    ///   - settings: The format of the audio in the file, and settings of its encoder.
    ///   - format: The samples of ``processingFormat``.
    ///   - interleaved: Whether those are interleaved.
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if the settings are not supported or the file can't be created.
    public init(
        forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool
    ) throws {
        let plan = try FileOutputPlan(url: fileURL, settings: settings)
        url = fileURL
        processingFormat = try Self.processingFormat(
            format, sampleRate: plan.format.sampleRate, channelCount: Int(plan.format.channelCount),
            layout: ChannelLayout(plan.format.channelLayout), isInterleaved: interleaved)
        let sink = try NSError.asAVFAudio { try plan.makeSink(path: try Self.path(of: fileURL)) }
        fileFormat = sink.fileFormat
        contents = .sink(sink)
    }

    deinit { close() }

    // MARK: Position

    /// The number of sample frames in the file, at the rate of ``processingFormat``.
    public var length: AVAudioFramePosition {
        switch contents {
        case .source(let source): AVAudioFramePosition(source.length)
        case .sink: AVAudioFramePosition(position)
        case .closed(let length): AVAudioFramePosition(length)
        }
    }

    /// Whether the file has to be moved to ``framePosition`` before the next read.
    private var isMoved = false

    /// The sample frame that is read or written next; setting it seeks in a file that is read.
    public var framePosition: AVAudioFramePosition {
        get { AVAudioFramePosition(position) }
        set {
            guard case .source(let source) = contents else { return }
            position = max(0, min(Int(newValue), source.length))
            isMoved = true
        }
    }

    /// Whether the file has not been closed.
    public var isOpen: Bool {
        if case .closed = contents { false } else { true }
    }

    /// Completes and closes the file; releasing the object does the same.
    public func close() {
        let frames = Int(length)
        // As with Core Audio, a failure here has nobody to tell; write(from:) reports those before.
        if case .sink(let sink) = contents { try? sink.finish() }
        contents = .closed(length: frames)
    }

    // MARK: Reading and writing

    /// Reads frames from ``framePosition`` on, as many as the buffer has room for; fewer only at the end.
    ///
    /// - Parameter buffer: A buffer of ``processingFormat``; its length becomes the number of frames read.
    /// - Throws: An error if the file can't be read or decoded, and after its last frame.
    public func read(into buffer: AVAudioPCMBuffer) throws { try read(into: buffer, frameCount: buffer.frameCapacity) }

    /// Reads frames from ``framePosition`` on; fewer only at the end.
    ///
    /// - Parameters:
    ///   - buffer: A buffer of ``processingFormat``; its length becomes the number of frames read.
    ///   - frameCount: The number of frames to read, at most the buffer's capacity.
    /// - Throws: An error if the file can't be read or decoded, and after its last frame.
    public func read(into buffer: AVAudioPCMBuffer, frameCount: AVAudioFrameCount) throws {
        buffer.frameLength = 0
        guard case .source(let source) = contents else {
            throw NSError(avfaudio: kAudioFileNotOpenError, "\(url.path) is not open for reading")
        }
        try checkFormat(of: buffer)
        let wanted = Int(min(frameCount, buffer.frameCapacity))
        try NSError.asAVFAudio {
            if isMoved { try source.seek(to: position) }
            isMoved = false
            try source.read(wanted, into: buffer)
        }
        let count = Int(buffer.frameLength)
        position += count
        // What Swift makes of "no" without an error, which Core Audio answers after the last frame.
        if count == 0 && wanted > 0 { throw NSError(domain: "Foundation._GenericObjCError", code: 0) }
    }

    /// Appends the valid frames of a buffer.
    ///
    /// - Parameter buffer: A buffer of ``processingFormat``.
    /// - Throws: An error if the formats differ or writing fails.
    public func write(from buffer: AVAudioPCMBuffer) throws {
        guard case .sink(let sink) = contents else {
            throw NSError(avfaudio: kAudioFilePermissionsError, "\(url.path) is not open for writing")
        }
        try checkFormat(of: buffer)
        let count = Int(buffer.frameLength)
        guard count > 0 else { return }
        try NSError.asAVFAudio { try sink.append(buffer) }
        position += count
    }

    /// Throws if a buffer has not the processing format.
    private func checkFormat(of buffer: AVAudioPCMBuffer) throws {
        guard !buffer.format.hasMemoryLayout(of: processingFormat) else { return }
        throw NSError(
            avfaudio: kAudio_ParamError, "the buffer's format \(buffer.format) is not the file's processingFormat \(processingFormat)")
    }

    /// Returns the path of a URL.
    private static func path(of url: URL) throws -> String {
        guard url.isFileURL else { throw NSError(avfaudio: kAudio_BadFilePathError, "\(url) is no URL of a file") }
        return url.path
    }

    /// Creates the format of buffers.
    private static func processingFormat(
        _ format: AVAudioCommonFormat, sampleRate: Double, channelCount: Int, layout: ChannelLayout?, isInterleaved: Bool
    ) throws -> AVAudioFormat {
        let layout = layout?.avAudioChannelLayout ?? .usual(channelCount: AVAudioChannelCount(channelCount))
        guard format != .otherFormat else { throw NSError(avfaudio: kAudio_ParamError, "buffers need a common format") }
        if channelCount > 2, let layout {
            return AVAudioFormat(commonFormat: format, sampleRate: sampleRate, interleaved: isInterleaved, channelLayout: layout)
        }
        let mono = AVAudioFormat(
            commonFormat: format, sampleRate: sampleRate, channels: AVAudioChannelCount(channelCount), interleaved: isInterleaved)
        guard let mono else { throw NSError(avfaudio: kAudioFileUnsupportedDataFormatError, "\(channelCount) channels are not supported") }
        return mono
    }
}
#endif
