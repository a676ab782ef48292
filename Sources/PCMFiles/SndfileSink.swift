// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import AudioPrimitives
internal import CPCMLibraries
internal import SystemFiles
internal import SystemLibrary

/// Writes a file through libsndfile: AIFF, CAF, FLAC.
final class SndfileSink: PCMSink {
    private let path: String
    private let stream: LibraryStream
    private let encoding: SampleEncoding
    private let format: PCMOutputFormat
    private let file: OpenFile
    private var frameCount = 0
    private let library: UnsafePointer<LinnetSndfileFunctions>
    private var handle: OpaquePointer?
    private let tags: WrittenTags
    private var floats: [Float] = []
    private var integers: [Int32] = []

    /// Writes the header.
    init(_ file: OpenFile, path: String, format: PCMOutputFormat) throws {
        self.path = path
        encoding = format.encoding
        self.format = format
        self.file = file
        // The library moves to and fro in the file.
        guard file.canOverwrite else { throw SystemFileError.cannotWrite(code: ESPIPE) }
        guard let library = linnet_sndfile_functions() else { throw AudioFileError(.libraryMissing(.sndfile), path: path) }
        self.library = library
        var info = SF_INFO()
        info.samplerate = Int32(clamping: format.sampleRate)
        info.channels = Int32(clamping: format.channelCount)
        info.format = Self.number(of: format)
        guard library.pointee.sf_format_check(&info) != 0 else { throw AudioFileError(.unsupportedOutput(format), path: path) }
        stream = LibraryStream(file)
        handle = stream.open(library, mode: Int(SFM_WRITE), &info)
        guard handle != nil else {
            throw stream.failure ?? AudioFileError(.unsupportedOutput(format), path: path)
        }
        tags = WrittenTags(format.tags, format.file)
        if format.file == .caf, format.channelCount > 2, let mask = format.channelLayout?.waveMask {
            setChunk(CAFChannelLayout.chunkID, CAFChannelLayout.contents(waveMask: mask))
        }
    }

    deinit {
        if let handle { _ = library.pointee.sf_close(handle) }
    }

    /// Writes a chunk before the samples.
    private func setChunk(_ identifier: String, _ contents: [UInt8]) {
        var contents = contents
        var info = SF_CHUNK_INFO()
        info.id_size = UInt32(identifier.utf8.count)
        withUnsafeMutableBytes(of: &info.id) { $0.copyBytes(from: identifier.utf8) }
        contents.withUnsafeMutableBytes { bytes in
            info.data = bytes.baseAddress
            info.datalen = UInt32(bytes.count)
            // The library copies the contents.
            _ = library.pointee.sf_set_chunk(handle, &info)
        }
    }

    /// Writes the sample frames of a buffer.
    func append(_ buffer: PCMBuffer) throws {
        let channelCount = buffer.channelCount
        let sampleCount = buffer.frameCount * channelCount
        let written: sf_count_t
        if encoding.isFloat {
            if floats.count < sampleCount { floats = [Float](repeating: 0, count: sampleCount) }
            buffer.forEachInterleaved { floats[$0] = $1 }
            written = library.pointee.sf_writef_float(handle, &floats, sf_count_t(buffer.frameCount))
        } else {
            // Converting to integers here makes every format round and clip alike; the library uses their high bits.
            let bitCount = encoding.byteCount * 8
            if integers.count < sampleCount { integers = [Int32](repeating: 0, count: sampleCount) }
            buffer.forEachInterleaved { integers[$0] = SampleRounding.integer($1, bitCount: bitCount) << Int32(32 - bitCount) }
            written = library.pointee.sf_writef_int(handle, &integers, sf_count_t(buffer.frameCount))
        }
        try check(written == sf_count_t(buffer.frameCount))
        frameCount += buffer.frameCount
    }

    /// Writes whole sample frames.
    func append(bytes: [UInt8]) throws {
        let sampleCount = bytes.count / encoding.byteCount
        let frameCount = sf_count_t(sampleCount / format.channelCount)
        let written: sf_count_t
        switch encoding {
        case .float32, .float32BigEndian:
            if floats.count < sampleCount { floats = [Float](repeating: 0, count: sampleCount) }
            let run = SampleRun(encoding: encoding, offset: 0, stride: encoding.byteCount, count: sampleCount)
            var target = floats.mutableSpan
            run.read(bytes.span.bytes, fullScale: 1, into: &target, at: 0)
            written = library.pointee.sf_writef_float(handle, &floats, frameCount)
        case .float64, .float64BigEndian:
            let doubles = encoding.doubles(bytes)
            written = library.pointee.sf_writef_double(handle, doubles, frameCount)
        default:
            encoding.unpack(bytes.span.bytes, into: &integers)
            written = library.pointee.sf_writef_int(handle, &integers, frameCount)
        }
        try check(written == frameCount)
        self.frameCount += Int(frameCount)
    }

    /// Completes the file.
    func finish() throws {
        let code = library.pointee.sf_close(handle)
        handle = nil
        try check(code == 0)
        try SndfileCorrection.apply(to: file, format, frameCount: frameCount)
        try tags.write(to: file)
    }

    /// Throws the system's error that the library met, or its own as an input/output error.
    private func check(_ isWritten: Bool) throws {
        if let failure = stream.failure { throw failure }
        guard isWritten else { throw SystemFileError.cannotWrite(code: EIO) }
    }

    /// The library's number of a format.
    private static func number(of format: PCMOutputFormat) -> Int32 {
        let file = format.file == .aiff ? SF_FORMAT_AIFF : SF_FORMAT_CAF
        let samples =
            switch format.encoding {
            case .signed8, .unsigned8: SF_FORMAT_PCM_S8
            case .int16, .int16BigEndian: SF_FORMAT_PCM_16
            case .int24, .int24BigEndian: SF_FORMAT_PCM_24
            case .int32, .int32BigEndian: SF_FORMAT_PCM_32
            case .float32, .float32BigEndian: SF_FORMAT_FLOAT
            case .float64, .float64BigEndian: SF_FORMAT_DOUBLE
            }
        // Without a number for it, files are big-endian; FLAC has no byte order.
        let isLittleEndian = !format.encoding.isBigEndian && format.encoding.byteCount > 1
        return Int32(file) | Int32(samples) | (isLittleEndian ? Int32(SF_ENDIAN_LITTLE) : 0)
    }
}
#endif
