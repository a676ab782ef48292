// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(CPCMLibraries)
internal import AudioPrimitives
internal import CPCMLibraries
internal import SystemFiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Writes a file through libsndfile: AIFF, CAF, FLAC.
final class SndfileSink: PCMSink {
    private let path: String
    private let stream: SndfileStream
    private let sampleFormat: SampleFormat
    private let library: UnsafePointer<LinnetSndfileFunctions>
    private var handle: OpaquePointer?
    private var floats: [Float] = []
    private var integers: [Int32] = []

    /// Writes the header.
    init(_ file: OpenFile, path: String, format: PCMOutputFormat) throws {
        self.path = path
        sampleFormat = format.sampleFormat
        guard file.offset != nil else { throw SystemFileError.cannotWrite(code: ESPIPE) }
        guard let library = linnet_sndfile_functions() else { throw PCMFileError(.libraryMissing(.sndfile), path: path) }
        self.library = library
        var info = SF_INFO()
        info.samplerate = Int32(clamping: format.sampleRate)
        info.channels = Int32(clamping: format.channelCount)
        info.format = Self.number(of: format)
        guard library.pointee.sf_format_check(&info) != 0 else { throw PCMFileError(.unsupportedOutput(format), path: path) }
        stream = SndfileStream(file)
        handle = stream.open(library, mode: Int(SFM_WRITE), &info)
        guard handle != nil else {
            throw stream.failure ?? PCMFileError(.unsupportedOutput(format), path: path)
        }
    }

    deinit {
        if let handle { _ = library.pointee.sf_close(handle) }
    }

    /// Writes the sample frames of a buffer.
    func append(_ buffer: PCMBuffer) throws {
        let channelCount = buffer.channelCount
        let sampleCount = buffer.frameCount * channelCount
        let written: sf_count_t
        if sampleFormat.isFloat {
            if floats.count < sampleCount { floats = [Float](repeating: 0, count: sampleCount) }
            buffer.forEachInterleaved { floats[$0] = $1 }
            written = library.pointee.sf_writef_float(handle, &floats, sf_count_t(buffer.frameCount))
        } else {
            // Converting to integers here makes every format round and clip alike; the library uses their high bits.
            let bitCount = sampleFormat.byteCount * 8
            if integers.count < sampleCount { integers = [Int32](repeating: 0, count: sampleCount) }
            buffer.forEachInterleaved { integers[$0] = SampleRounding.integer($1, bitCount: bitCount) << Int32(32 - bitCount) }
            written = library.pointee.sf_writef_int(handle, &integers, sf_count_t(buffer.frameCount))
        }
        try check(written == sf_count_t(buffer.frameCount))
    }

    /// Completes the file.
    func finish() throws {
        let code = library.pointee.sf_close(handle)
        handle = nil
        try check(code == 0)
    }

    /// Throws the system's error that the library met, or its own as an input/output error.
    private func check(_ isWritten: Bool) throws {
        if let failure = stream.failure { throw failure }
        guard isWritten else { throw SystemFileError.cannotWrite(code: EIO) }
    }

    /// The library's number of a format.
    private static func number(of format: PCMOutputFormat) -> Int32 {
        let file =
            switch format.file {
            case .aiff: SF_FORMAT_AIFF
            case .caf: SF_FORMAT_CAF
            default: SF_FORMAT_FLAC
            }
        let samples =
            switch format.sampleFormat {
            case .int16: SF_FORMAT_PCM_16
            case .int24: SF_FORMAT_PCM_24
            case .int32: SF_FORMAT_PCM_32
            case .float32: SF_FORMAT_FLOAT
            case .float64: SF_FORMAT_DOUBLE
            }
        return Int32(file) | Int32(samples)
    }
}
#endif
