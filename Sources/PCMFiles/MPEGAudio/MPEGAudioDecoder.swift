// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import CPCMLibraries
internal import SystemFiles

/// An MPEG audio stream decoded by libmpg123 frame by frame, without messages from the library.
final class MPEGAudioDecoder {
    private(set) var sampleRate = 0
    /// The channel count, 1 or 2.
    private(set) var channelCount = 0
    /// The interleaved samples of the latest frame.
    private(set) var samples: [Float] = []

    private let stream: LibraryStream
    private let library: UnsafePointer<LinnetMpg123Functions>
    private let handle: OpaquePointer
    /// Whether the next frame has been found but not decoded.
    private var hasFound = false

    /// Opens a seekable file, or returns `nil` if libmpg123 finds no audio.
    init?(_ input: FileInput, _ start: MPEGAudioStart) throws {
        guard let library = linnet_mpg123_functions() else { throw AudioFileError(.libraryMissing(.mpg123), path: input.path) }
        var code: Int32 = 0
        guard let handle = library.pointee.mpg123_new(nil, &code) else { return nil }
        try input.seek(to: start.position)
        stream = LibraryStream(input)
        self.library = library
        self.handle = handle
        // The caller handles tag frames and trims the signal, because it knows about lost frames.
        let flags = [MPG123_QUIET, MPG123_IGNORE_INFOFRAME, MPG123_FORCE_FLOAT].reduce(0) { $0 | Int($1.rawValue) }
        _ = library.pointee.mpg123_param(handle, MPG123_ADD_FLAGS, flags, 0)
        _ = library.pointee.mpg123_param(handle, MPG123_REMOVE_FLAGS, Int(MPG123_GAPLESS.rawValue), 0)
        // Skip damage of any length.
        _ = library.pointee.mpg123_param(handle, MPG123_RESYNC_LIMIT, -1, 0)
        _ = library.pointee.mpg123_replace_reader_handle(
            handle, { MPEGAudioDecoder.read($0, $1, $2) }, { Int(LibraryStream.stream($0).seek(offset: Int64($1), whence: $2)) }, nil)
        guard open(), setFormat(), open() else {
            if let failure = stream.failure { throw failure }
            return nil
        }
    }

    deinit {
        _ = library.pointee.mpg123_close(handle)
        library.pointee.mpg123_delete(handle)
    }

    /// Finds the next frame without decoding it.
    ///
    /// Returns false at the end.
    ///
    /// - Throws: The system error of a failed read.
    func findNext() throws(SystemFileError) -> Bool {
        guard !hasFound else { return true }
        var status = library.pointee.mpg123_framebyframe_next(handle)
        if let failure = stream.failure { throw failure }
        if status == MPG123_NEW_FORMAT.rawValue {
            // The format is fixed, but `mpg123_getformat` must be called before decoding continues.
            var (rate, channels, encoding) = (0, Int32(0), Int32(0))
            status = library.pointee.mpg123_getformat(handle, &rate, &channels, &encoding)
        }
        hasFound = status == MPG123_OK.rawValue
        return hasFound
    }

    /// Decodes and returns the next frame, or returns `nil` at the end.
    ///
    /// - Throws: The system error of a failed read.
    func next() throws(SystemFileError) -> Frame? {
        guard try findNext() else { return nil }
        hasFound = false
        var info = mpg123_frameinfo()
        let start = library.pointee.mpg123_framepos(handle)
        guard start >= 0, library.pointee.mpg123_info(handle, &info) == Int32(MPG123_OK.rawValue) else { return nil }
        let length = max(0, Int(library.pointee.mpg123_spf(handle)))
        var (number, byteCount) = (0, 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        _ = library.pointee.mpg123_framebyframe_decode(handle, &number, &bytes, &byteCount)
        if let failure = stream.failure { throw failure }
        let count = byteCount / (MemoryLayout<Float>.size * channelCount)
        if samples.count < count * channelCount { samples = [Float](repeating: 0, count: count * channelCount) }
        if let bytes {
            samples.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count * channelCount * 4)) }
        }
        // The library converts another sample rate to other numbers of samples.
        let converted = info.rate == sampleRate || info.rate <= 0 ? length : count > 0 ? count : length * sampleRate / info.rate
        return Frame(
            bytes: start..<start + max(0, Int(info.framesize)), samplesPerFrame: converted, count: count,
            format: (info.rate, info.mode == MPG123_M_MONO.rawValue ? 1 : 2))
    }

    /// Moves to a frame, counted from the first.
    ///
    /// Returns the index of the next frame.
    func seek(toFrame frame: Int) throws(SystemFileError) -> Int {
        hasFound = false
        // After seeking to frame 0, the first frame would count as read, and the second would be next.
        if frame == 0, open() { return 0 }
        let found = library.pointee.mpg123_seek_frame(handle, frame, 0)
        if let failure = stream.failure { throw failure }
        guard found >= 0 else { throw .notSeekable }
        return found
    }

    /// Opens the stream from its first byte.
    private func open() -> Bool {
        guard stream.seek(offset: 0, whence: 0) == 0 else { return false }
        return library.pointee.mpg123_open_handle(handle, Unmanaged.passUnretained(stream).toOpaque()) == Int32(MPG123_OK.rawValue)
    }

    /// Fixes the output to the first frame's sample rate and channels.
    ///
    /// Streams that change them are converted.
    private func setFormat() -> Bool {
        var (rate, channels, encoding) = (0, Int32(0), Int32(0))
        guard library.pointee.mpg123_getformat(handle, &rate, &channels, &encoding) == Int32(MPG123_OK.rawValue),
            rate > 0, 1...2 ~= channels
        else { return false }
        (sampleRate, channelCount) = (rate, Int(channels))
        _ = library.pointee.mpg123_format_none(handle)
        return library.pointee.mpg123_format(handle, rate, channels, Int32(MPG123_ENC_FLOAT_32.rawValue)) == Int32(MPG123_OK.rawValue)
    }

    /// Reads for libmpg123.
    private static func read(_ userData: UnsafeMutableRawPointer?, _ target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let stream = LibraryStream.stream(userData)
        let found = Int(stream.read(into: target, count: count))
        return stream.failure == nil ? found : -1
    }
}
#endif
