// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(CPCMLibraries)
internal import AudioPrimitives
internal import CPCMLibraries

/// A file that libsndfile decodes: AIFF, CAF, FLAC, Ogg, compressed WAV and more.
final class SndfileSource: PCMSource {
    let properties: PCMFileProperties
    private(set) var warnings: [PCMFileWarning] = []

    private let library: UnsafePointer<LinnetSndfileFunctions>
    private let handle: OpaquePointer
    /// Keeps the descriptor open.
    private let input: ByteInput
    private let stream: SndfileStream
    private let isSeekable: Bool
    let seeksExactly: Bool
    private var position = 0
    private var interleaved: [Float] = []

    /// Opens a file from its first byte.
    init(_ input: ByteInput) throws(PCMFileError) {
        guard let library = linnet_sndfile_functions() else { throw .libraryMissing(path: input.path, library: .sndfile) }
        self.library = library
        self.input = input
        try input.seek(to: 0)
        stream = SndfileStream(descriptor: input.descriptor)
        var info = SF_INFO()
        guard let handle = stream.open(library, mode: Int(SFM_READ), &info) else {
            guard stream.errorCode == 0 else { throw .cannotRead(path: input.path, code: stream.errorCode) }
            throw .unrecognizedFormat(path: input.path, reason: Self.firstLine(library.pointee.sf_strerror(nil)))
        }
        guard info.channels > 0, info.samplerate > 0 else {
            _ = library.pointee.sf_close(handle)
            throw .malformedHeader(path: input.path, field: "the sample rate", value: Int(info.samplerate))
        }
        self.handle = handle
        isSeekable = info.seekable != 0
        seeksExactly = isSeekable && Self.hasIndependentSamples(info.format)
        properties = PCMFileProperties(
            containerName: Self.containerName(info.format),
            streamDescription: Self.encoding(info.format).streamDescription(
                sampleRate: Int(info.samplerate), channelCount: Int(info.channels)),
            sampleRate: Int(info.samplerate), channelCount: Int(info.channels),
            channelLayout: Self.channelLayout(handle, info, library),
            frameCount: info.frames < sf_count_t.max ? Int(info.frames) : nil)
    }

    deinit { _ = library.pointee.sf_close(handle) }

    func read(into buffer: inout PCMBuffer) throws(PCMFileError) {
        let channelCount = properties.channelCount
        let capacity = buffer.frameCapacity
        if interleaved.count < capacity * channelCount { interleaved = [Float](repeating: 0, count: capacity * channelCount) }
        let frameCount = Int(library.pointee.sf_readf_float(handle, &interleaved, sf_count_t(capacity)))
        let code = library.pointee.sf_error(handle)
        guard stream.errorCode == 0 else { throw .cannotRead(path: input.path, code: stream.errorCode) }
        guard code == 0 || frameCount > 0 else {
            throw .damaged(path: input.path, frame: position, reason: Self.firstLine(library.pointee.sf_strerror(handle)))
        }
        buffer.deinterleave(interleaved, frameCount: frameCount)
        position += frameCount
        if frameCount < capacity, let declared = properties.frameCount, position < declared {
            warnings = [.endsEarly(path: input.path, declaredFrames: declared, foundFrames: position)]
        }
    }

    func seek(toFrame frame: Int) throws(PCMFileError) {
        guard isSeekable, library.pointee.sf_seek(handle, sf_count_t(frame), Int32(SEEK_SET)) >= 0 else {
            throw .notSeekable(path: input.path)
        }
        position = frame
    }

    /// The library's message without its line ends.
    private static func firstLine(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "unknown error" }
        let line = String(cString: text).split(separator: "\n").first.map(String.init) ?? "unknown error"
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}

// What the library's numbers mean.
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
        case Int(SF_FORMAT_MPEG): "MPEG audio"
        default: "another format of libsndfile"
        }
    }

    /// Whether a sample doesn't depend on where decoding began: with every lossy code that has a memory it does.
    private static func hasIndependentSamples(_ format: Int32) -> Bool {
        switch Int(format) & Int(SF_FORMAT_SUBMASK) {
        case Int(SF_FORMAT_PCM_S8), Int(SF_FORMAT_PCM_U8), Int(SF_FORMAT_PCM_16), Int(SF_FORMAT_PCM_24), Int(SF_FORMAT_PCM_32),
            Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE), Int(SF_FORMAT_ULAW), Int(SF_FORMAT_ALAW):
            true
        default: false
        }
    }

    /// The plain encoding with the same resolution; what is lossy decodes to floating point.
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

    private static func channelLayout(
        _ handle: OpaquePointer, _ info: SF_INFO, _ library: UnsafePointer<LinnetSndfileFunctions>
    ) -> ChannelLayout? {
        var map = [Int32](repeating: 0, count: Int(info.channels))
        let byteCount = Int32(map.count * MemoryLayout<Int32>.size)
        if library.pointee.sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, byteCount) != 0 {
            let speakers = map.map(speaker)
            if !speakers.contains(nil) { return ChannelLayout(speakers.compactMap { $0 }) }
        }
        let isFLAC = Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_FLAC)
        return isFLAC ? ChannelLayout(flacChannelCount: Int(info.channels)) : nil
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

extension ChannelLayout {
    /// The layouts that FLAC defines for its channel counts (RFC 9639, 9.1.3).
    init?(flacChannelCount count: Int) {
        let surround: [Speaker] = [.left, .right, .center, .lowFrequency]
        switch count {
        case 1: self.init([.center])
        case 2: self.init([.left, .right])
        case 3: self.init([.left, .right, .center])
        case 4: self.init([.left, .right, .backLeft, .backRight])
        case 5: self.init([.left, .right, .center, .backLeft, .backRight])
        case 6: self.init(surround + [.backLeft, .backRight])
        case 7: self.init(surround + [.backCenter, .sideLeft, .sideRight])
        case 8: self.init(surround + [.backLeft, .backRight, .sideLeft, .sideRight])
        default: return nil
        }
    }
}
#endif
