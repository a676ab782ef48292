// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(CPCMLibraries)
internal import AudioPrimitives
internal import CPCMLibraries

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that libsndfile writes: AIFF, CAF, FLAC.
final class SndfileSink: PCMSink {
    private let output: ByteOutput
    private let stream: SndfileStream
    private let sampleFormat: SampleFormat
    private let library: UnsafePointer<LinnetSndfileFunctions>
    private var handle: OpaquePointer?
    private var floats: [Float] = []
    private var integers: [Int32] = []

    init(_ output: ByteOutput, format: PCMOutputFormat) throws(PCMFileError) {
        self.output = output
        sampleFormat = format.sampleFormat
        guard output.isSeekable else { throw .cannotWrite(path: output.path, code: ESPIPE) }
        guard let library = linnet_sndfile_functions() else { throw .libraryMissing(path: output.path, library: .sndfile) }
        self.library = library
        var info = SF_INFO()
        info.samplerate = Int32(clamping: format.sampleRate)
        info.channels = Int32(clamping: format.channelCount)
        info.format = Self.number(of: format)
        guard library.pointee.sf_format_check(&info) != 0 else { throw format.unsupported(path: output.path) }
        stream = SndfileStream(descriptor: output.descriptor)
        handle = stream.open(library, mode: Int(SFM_WRITE), &info)
        guard handle != nil else {
            throw stream.errorCode == 0 ? format.unsupported(path: output.path) : .cannotWrite(path: output.path, code: stream.errorCode)
        }
    }

    deinit {
        if let handle { _ = library.pointee.sf_close(handle) }
    }

    func append(_ buffer: PCMBuffer) throws(PCMFileError) {
        let channelCount = buffer.channelCount
        let sampleCount = buffer.frameCount * channelCount
        let written: sf_count_t
        if sampleFormat.isFloat {
            if floats.count < sampleCount { floats = [Float](repeating: 0, count: sampleCount) }
            buffer.forEachInterleaved { floats[$0] = $1 }
            written = library.pointee.sf_writef_float(handle, &floats, sf_count_t(buffer.frameCount))
        } else {
            // Integers are made here, so that every format rounds and clips alike; the library takes their high bits.
            let bitCount = sampleFormat.byteCount * 8
            if integers.count < sampleCount { integers = [Int32](repeating: 0, count: sampleCount) }
            buffer.forEachInterleaved { integers[$0] = SampleRounding.integer($1, bitCount: bitCount) << Int32(32 - bitCount) }
            written = library.pointee.sf_writef_int(handle, &integers, sf_count_t(buffer.frameCount))
        }
        try check(written == sf_count_t(buffer.frameCount))
    }

    func finish() throws(PCMFileError) {
        let code = library.pointee.sf_close(handle)
        handle = nil
        try check(code == 0)
    }

    /// Throws the error of the system that the library met, or its own as an input/output error.
    private func check(_ isWritten: Bool) throws(PCMFileError) {
        guard isWritten, stream.errorCode == 0 else {
            throw .cannotWrite(path: output.path, code: stream.errorCode == 0 ? EIO : stream.errorCode)
        }
    }

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
