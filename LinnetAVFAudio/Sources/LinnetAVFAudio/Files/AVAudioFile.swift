// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioPrimitives
internal import CLinnetAudioTypes
public import Foundation

/// A file that is read or written as PCM, whatever its codec.
///
/// Reads WAV, AIFF, CAF, M4A, MP4, ADTS, FLAC and every other format that linnet plays. Writes PCM to WAV, AIFF and CAF, FLAC, and AAC to
/// M4A, ADTS and CAF. A file belongs to one thread at a time.
open class AVAudioFile: NSObject {
    /// The location of the file.
    public let url: URL

    /// The format of the audio in the file.
    public let fileFormat: AVAudioFormat

    /// The format of buffers: the file's rate and channels, by default as deinterleaved 32-bit floating point.
    public let processingFormat: AVAudioFormat

    private var contents: Contents

    /// The open source or sink.
    private enum Contents {
        case source(any FileSource)
        case sink(any FileSink)
        case closed(length: Int)
    }

    /// The number of frames read or written, or the position after a seek.
    private var position = 0

    /// Opens a file for reading, with the standard format for buffers.
    ///
    /// - Parameter fileURL: A file URL.
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if the file cannot be opened or its format is unsupported.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file for reading.
    ///
    /// - Parameters:
    ///   - fileURL: A file URL.
    ///   - format: The sample format of ``processingFormat``.
    ///   - interleaved: Whether its samples are interleaved.
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if the file cannot be opened or its format is unsupported.
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

    /// Creates or replaces a file, with the standard format for buffers.
    ///
    /// - Parameters:
    ///   - fileURL: A file URL. Its extension determines the file format unless the settings do.
    ///   - settings: The format of the audio in the file, and encoder settings.
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if the settings are unsupported or the file cannot be created.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Creates or replaces a file.
    ///
    /// - Parameters:
    ///   - fileURL: A file URL. Its extension determines the file format unless the settings do.
    ///   - settings: The format of the audio in the file, and encoder settings.
    ///   - format: The sample format of ``processingFormat``.
    ///   - interleaved: Whether its samples are interleaved.
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if the settings are unsupported or the file cannot be created.
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

    /// Whether the next read must seek to ``framePosition``.
    private var isMoved = false

    /// The next sample frame to read or write.
    ///
    /// Setting it seeks in a file opened for reading.
    public var framePosition: AVAudioFramePosition {
        get { AVAudioFramePosition(position) }
        set {
            guard case .source(let source) = contents else { return }
            position = max(0, min(Int(newValue), source.length))
            isMoved = true
        }
    }

    /// Whether the file is open.
    public var isOpen: Bool {
        if case .closed = contents { false } else { true }
    }

    /// Finishes and closes the file, as does releasing the object.
    public func close() {
        let frames = Int(length)
        // As in Core Audio, a failure here is not reported; write(from:) reports earlier ones.
        if case .sink(let sink) = contents { try? sink.finish() }
        contents = .closed(length: frames)
    }

    // MARK: Reading and writing

    /// The problems that reading has found, such as concealed damage, one line each.
    ///
    /// Complete after the last frame, and empty after ``close()``. Not part of Apple's API.
    public var warnings: [String] {
        if case .source(let source) = contents { source.warnings } else { [] }
    }

    /// Reads frames from ``framePosition``, up to the buffer's capacity; fewer only at the end.
    ///
    /// - Parameter buffer: A buffer of ``processingFormat``. Its length becomes the number of frames read.
    /// - Throws: An error if the file cannot be read, and after the last frame. Damaged packets are concealed (``warnings``).
    public func read(into buffer: AVAudioPCMBuffer) throws { try read(into: buffer, frameCount: buffer.frameCapacity) }

    /// Reads frames from ``framePosition``; fewer only at the end.
    ///
    /// - Parameters:
    ///   - buffer: A buffer of ``processingFormat``. Its length becomes the number of frames read.
    ///   - frameCount: The number of frames to read, at most the buffer's capacity.
    /// - Throws: An error if the file cannot be read, and after the last frame. Damaged packets are concealed (``warnings``).
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
        // Swift's error for a failure without an NSError, which Core Audio returns after the last frame.
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

    private func checkFormat(of buffer: AVAudioPCMBuffer) throws {
        guard !buffer.format.hasMemoryLayout(of: processingFormat) else { return }
        throw NSError(
            avfaudio: kAudio_ParamError, "the buffer format \(buffer.format) differs from the file's processingFormat \(processingFormat)")
    }

    private static func path(of url: URL) throws -> String {
        guard url.isFileURL else { throw NSError(avfaudio: kAudio_BadFilePathError, "\(url) is not a file URL") }
        return url.path
    }

    /// Creates the format of buffers.
    private static func processingFormat(
        _ format: AVAudioCommonFormat, sampleRate: Double, channelCount: Int, layout: ChannelLayout?, isInterleaved: Bool
    ) throws -> AVAudioFormat {
        let layout = layout?.avAudioChannelLayout ?? .usual(channelCount: AVAudioChannelCount(channelCount))
        guard format != .otherFormat else { throw NSError(avfaudio: kAudio_ParamError, "buffers require a common format") }
        if channelCount > 2, let layout {
            return AVAudioFormat(commonFormat: format, sampleRate: sampleRate, interleaved: isInterleaved, channelLayout: layout)
        }
        let mono = AVAudioFormat(
            commonFormat: format, sampleRate: sampleRate, channels: AVAudioChannelCount(channelCount), interleaved: isInterleaved)
        guard let mono else { throw NSError(avfaudio: kAudioFileUnsupportedDataFormatError, "unsupported channel count \(channelCount)") }
        return mono
    }
}
#endif
