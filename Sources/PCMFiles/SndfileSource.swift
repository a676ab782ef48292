// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import AudioMetadata
package import AudioPrimitives
internal import CPCMLibraries
package import SystemFiles
internal import SystemLibrary

/// Decodes a file with libsndfile: Ogg, AU, compressed WAV, AIFF and CAF, and more.
package final class SndfileSource: PCMFileSource {
    package private(set) var properties: PCMFileProperties
    /// A warning about the declared length, once the end is reached.
    package private(set) var warnings: [PCMFileWarning] = []

    private let library: UnsafePointer<LinnetSndfileFunctions>
    private let handle: OpaquePointer
    private let path: String
    private let stream: LibraryStream
    private let isSeekable: Bool
    private let isOgg: Bool
    /// Whether samples do not depend on previous ones.
    package let seeksExactly: Bool
    /// The uncompressed encoding with the file's resolution.
    package let encoding: SampleEncoding
    /// Reorders channels to WAV order, or `nil` if not needed or without a channel layout.
    private let order: ChannelOrder?
    private var position = 0
    private var interleaved: [Float] = []
    private var integers: [Int32] = []

    /// Opens a file, or returns `nil` if libsndfile does not recognize its format.
    ///
    /// libsndfile gets only the bytes after ID3v2 tags. Otherwise it would lose the same number of bytes at the end.
    package init?(_ input: FileInput) throws {
        guard let library = linnet_sndfile_functions() else { throw AudioFileError(.libraryMissing(.sndfile), path: input.path) }
        self.library = library
        path = input.path
        let tags = AudioTags(reading: input)
        try input.seek(to: 0)
        _ = try input.skipID3v2Tags()
        let namedLayout = try ChunkList(input)?.layout(of: input)
        let part = try SndfileInput.withoutTags(input)
        try part.seek(to: part.position)
        stream = LibraryStream(part)
        var info = SF_INFO()
        guard let handle = Self.open(stream, library, &info) else {
            if let failure = stream.failure { throw failure }
            if library.pointee.sf_error(nil) == Int32(SF_ERR_UNRECOGNISED_FORMAT) { return nil }
            throw AudioFileError(.unrecognizedFormat(reason: Self.firstLine(library.pointee.sf_strerror(nil))), path: input.path)
        }
        guard info.channels > 0, info.samplerate > 0 else {
            _ = library.pointee.sf_close(handle)
            throw AudioFileError(.malformedHeader(field: "the sample rate", value: Int(info.samplerate)), path: input.path)
        }
        // 8SVX stores channels separately, but libsndfile reads them as interleaved.
        guard Int(info.format) & Int(SF_FORMAT_TYPEMASK) != Int(SF_FORMAT_SVX) || info.channels == 1 else {
            _ = library.pointee.sf_close(handle)
            throw AudioFileError(.unrecognizedFormat(reason: "8SVX with several channels is not supported"), path: input.path)
        }
        self.handle = handle
        isSeekable = info.seekable != 0
        isOgg = Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_OGG)
        seeksExactly = isSeekable && Self.hasIndependentSamples(info.format)
        encoding = Self.encoding(info.format)
        let stored = namedLayout?.channelCount == Int(info.channels) ? namedLayout : Self.channelLayout(handle, info, library)
        order = ChannelOrder(from: stored)
        properties = PCMFileProperties(
            containerName: Self.containerName(info.format),
            streamDescription: encoding.streamDescription(
                sampleRate: Int(info.samplerate), channelCount: Int(info.channels)),
            sampleRate: Int(info.samplerate), channelCount: Int(info.channels),
            channelLayout: order == nil ? stored : stored?.inWAVOrder,
            frameCount: info.frames < sf_count_t.max ? Int(info.frames) : nil)
        properties.isLossy = Self.isLossy(info.format)
        properties.tags = tags
    }

    deinit { _ = library.pointee.sf_close(handle) }

    /// Opens a stream.
    ///
    /// Returns `nil` if libsndfile rejects it.
    private static func open(
        _ stream: LibraryStream, _ library: UnsafePointer<LinnetSndfileFunctions>, _ info: inout SF_INFO
    ) -> OpaquePointer? {
        var callbacks = SF_VIRTUAL_IO(
            get_filelen: { LibraryStream.stream($0).length },
            seek: { LibraryStream.stream($2).seek(offset: $0, whence: $1) },
            read: { LibraryStream.stream($2).read(into: $0, count: Int($1)) },
            write: nil,
            tell: { LibraryStream.stream($0).seek(offset: 0, whence: SEEK_CUR) })
        return library.pointee.sf_open_virtual(&callbacks, Int32(SFM_READ), &info, Unmanaged.passUnretained(stream).toOpaque())
    }

    package func read(into buffer: inout PCMBuffer) throws {
        let channelCount = properties.channelCount
        let capacity = buffer.frameCapacity
        if interleaved.count < capacity * channelCount { interleaved = [Float](repeating: 0, count: capacity * channelCount) }
        let frameCount = Int(library.pointee.sf_readf_float(handle, &interleaved, sf_count_t(capacity)))
        try checkRead(frameCount, of: capacity)
        order?.apply(to: &interleaved, frameCount: frameCount)
        buffer.deinterleave(interleaved, frameCount: frameCount)
    }

    package func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        let bytesPerFrame = encoding.byteCount * properties.channelCount
        let byteCount = frameCount * bytesPerFrame
        if bytes.count > byteCount { bytes.removeLast(bytes.count - byteCount) }
        if bytes.count < byteCount { bytes.append(contentsOf: repeatElement(0, count: byteCount - bytes.count)) }
        let count: Int
        if encoding.isFloat {
            count = bytes.withUnsafeMutableBytes { target in
                guard let base = target.baseAddress else { return 0 }
                // Array memory is sufficiently aligned, and this system is little-endian.
                let count =
                    encoding == .float64
                    ? library.pointee.sf_readf_double(handle, base.assumingMemoryBound(to: Double.self), sf_count_t(frameCount))
                    : library.pointee.sf_readf_float(handle, base.assumingMemoryBound(to: Float.self), sf_count_t(frameCount))
                return Int(count)
            }
            bytes.removeLast((frameCount - count) * bytesPerFrame)
            order?.apply(to: &bytes, frameCount: count, width: encoding.byteCount)
        } else {
            let sampleCount = frameCount * properties.channelCount
            if integers.count < sampleCount { integers = [Int32](repeating: 0, count: sampleCount) }
            count = Int(library.pointee.sf_readf_int(handle, &integers, sf_count_t(frameCount)))
            bytes.removeLast((frameCount - count) * bytesPerFrame)
            order?.apply(to: &integers, frameCount: count)
            encoding.pack(integers[0..<count * properties.channelCount], into: &bytes)
        }
        try checkRead(count, of: frameCount)
    }

    /// Advances by the frames read.
    ///
    /// Throws if the system or libsndfile failed.
    private func checkRead(_ frameCount: Int, of requested: Int) throws {
        let code = library.pointee.sf_error(handle)
        if let failure = stream.failure { throw failure }
        guard code == 0 || frameCount > 0 else {
            let reason = Self.firstLine(library.pointee.sf_strerror(handle))
            throw AudioFileError(.damaged(frame: position, reason: reason), path: path)
        }
        position += frameCount
        if frameCount < requested, let declared = properties.frameCount, position < declared {
            // The last page of Ogg states the length.
            warnings = [
                isOgg
                    ? .missing(path: path, frameCount: declared - position)
                    : .endsEarly(path: path, declaredFrames: declared, foundFrames: position)
            ]
        }
    }

    package func seek(toFrame frame: Int) throws {
        guard isSeekable, library.pointee.sf_seek(handle, sf_count_t(frame), Int32(SEEK_SET)) >= 0 else {
            throw SystemFileError.notSeekable
        }
        position = frame
    }

    /// Returns the first line of a libsndfile message, without a full stop.
    private static func firstLine(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "unknown error" }
        let line = String(cString: text).split(separator: "\n").first.map(String.init) ?? "unknown error"
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}

// Conversion of libsndfile's constants.
extension SndfileSource {
    private static func containerName(_ format: Int32) -> String {
        switch Int(format) & Int(SF_FORMAT_TYPEMASK) {
        case Int(SF_FORMAT_WAV), Int(SF_FORMAT_WAVEX): "WAV"
        case Int(SF_FORMAT_AIFF): "AIFF"
        case Int(SF_FORMAT_CAF): "CAF"
        case Int(SF_FORMAT_FLAC): "FLAC"
        case Int(SF_FORMAT_OGG): "Ogg"
        case Int(SF_FORMAT_RF64): "RF64"
        case Int(SF_FORMAT_W64): "W64"
        case Int(SF_FORMAT_AU): "AU"
        default: "another format of libsndfile"
        }
    }

    /// Whether samples are independent of where decoding started.
    ///
    /// False for all lossy codecs with state.
    private static func hasIndependentSamples(_ format: Int32) -> Bool {
        switch Int(format) & Int(SF_FORMAT_SUBMASK) {
        case Int(SF_FORMAT_PCM_S8), Int(SF_FORMAT_PCM_U8), Int(SF_FORMAT_PCM_16), Int(SF_FORMAT_PCM_24), Int(SF_FORMAT_PCM_32),
            Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE), Int(SF_FORMAT_ULAW), Int(SF_FORMAT_ALAW):
            true
        default: false
        }
    }

    /// Whether the codec is lossy.
    ///
    /// G.711 companding counts as a bit depth.
    private static func isLossy(_ format: Int32) -> Bool {
        switch Int(format) & Int(SF_FORMAT_SUBMASK) {
        case Int(SF_FORMAT_ALAC_16), Int(SF_FORMAT_ALAC_20), Int(SF_FORMAT_ALAC_24), Int(SF_FORMAT_ALAC_32): false
        default: !hasIndependentSamples(format)
        }
    }

    /// Returns the uncompressed encoding with the same resolution.
    ///
    /// Lossy formats decode to floating point.
    private static func encoding(_ format: Int32) -> SampleEncoding {
        switch Int(format) & Int(SF_FORMAT_SUBMASK) {
        case Int(SF_FORMAT_PCM_S8): .signed8
        case Int(SF_FORMAT_PCM_U8): .unsigned8
        case Int(SF_FORMAT_PCM_16), Int(SF_FORMAT_ALAC_16), Int(SF_FORMAT_ULAW), Int(SF_FORMAT_ALAW): .int16
        case Int(SF_FORMAT_PCM_24), Int(SF_FORMAT_ALAC_20), Int(SF_FORMAT_ALAC_24): .int24
        case Int(SF_FORMAT_PCM_32), Int(SF_FORMAT_ALAC_32): .int32
        case Int(SF_FORMAT_DOUBLE): .float64
        default: .float32
        }
    }

    /// Returns the channel layout, if the file or its format defines one.
    private static func channelLayout(
        _ handle: OpaquePointer, _ info: SF_INFO, _ library: UnsafePointer<LinnetSndfileFunctions>
    ) -> ChannelLayout? {
        var map = [Int32](repeating: 0, count: Int(info.channels))
        let byteCount = Int32(map.count * MemoryLayout<Int32>.size)
        if library.pointee.sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, byteCount) != 0,
            let layout = ChannelLayout(known: map.map(speaker))
        {
            return layout
        }
        if Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_FLAC) { return ChannelLayout(usualChannelCount: Int(info.channels)) }
        // Opus uses the channel orders of Vorbis (RFC 7845, 5.1.1.2).
        let isVorbis = Int(info.format) & Int(SF_FORMAT_SUBMASK) == Int(SF_FORMAT_VORBIS)
        return isVorbis ? (try? OpusChannelMapping(channelCount: Int(info.channels)))?.channelLayout : nil
    }

    private static func speaker(_ value: Int32) -> Speaker? {
        switch Int(value) {
        case Int(SF_CHANNEL_MAP_MONO), Int(SF_CHANNEL_MAP_CENTER), Int(SF_CHANNEL_MAP_FRONT_CENTER): .center
        case Int(SF_CHANNEL_MAP_LEFT), Int(SF_CHANNEL_MAP_FRONT_LEFT): .left
        case Int(SF_CHANNEL_MAP_RIGHT), Int(SF_CHANNEL_MAP_FRONT_RIGHT): .right
        case Int(SF_CHANNEL_MAP_REAR_CENTER): .backCenter
        case Int(SF_CHANNEL_MAP_REAR_LEFT): .backLeft
        case Int(SF_CHANNEL_MAP_REAR_RIGHT): .backRight
        case Int(SF_CHANNEL_MAP_LFE): .lowFrequency
        case Int(SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER): .leftOfCenter
        case Int(SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER): .rightOfCenter
        case Int(SF_CHANNEL_MAP_SIDE_LEFT): .sideLeft
        case Int(SF_CHANNEL_MAP_SIDE_RIGHT): .sideRight
        case Int(SF_CHANNEL_MAP_TOP_FRONT_LEFT): .topLeft
        case Int(SF_CHANNEL_MAP_TOP_FRONT_RIGHT): .topRight
        default: nil
        }
    }
}
#endif
