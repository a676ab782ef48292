// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import CPCMLibraries
internal import SystemFiles
internal import SystemLibrary

/// Writes native and Ogg FLAC with libFLAC, to files and pipes (RFC 9639).
///
/// A file gets a seek table if its length is known at the start. Its header is completed at the end with checksum and length. Pipes get
/// neither. Ogg has no seek table; its pages are searched instead.
final class FLACSink: PCMSink {
    private let file: OpenFile
    private let encoding: SampleEncoding
    private let channelCount: Int
    private let library: UnsafePointer<LinnetFLACFunctions>
    private var handle: OpaquePointer?
    private var metadata: [UnsafeMutablePointer<FLAC__StreamMetadata>?] = []
    /// The first system error.
    private var failure: SystemFileError?
    private var integers: [Int32] = []
    /// Whether to complete the header at the end.
    ///
    /// In Ogg, libFLAC rereads pages for that.
    private var completesHeader = false
    /// Whether padding follows the comments.
    private var hasPadding = false

    /// The offset of the first block after the signature and the stream information.
    private static let commentOffset = 4 + 38
    /// The maximum size of comments and padding to change, in bytes.
    private static let maximumTagByteCount = 1 << 20

    /// The compression level, 0 to 8.
    ///
    /// 5 is the default of `flac`.
    private static let compressionLevel: UInt32 = 5

    private static let seekPointSeconds = 10

    /// Writes the header.
    ///
    /// - Throws: ``AudioFileError`` if the format is not supported; the system error of a failed write.
    init(_ file: OpenFile, path: String, format: PCMOutputFormat, _ library: UnsafePointer<LinnetFLACFunctions>) throws {
        self.file = file
        encoding = format.encoding
        channelCount = format.channelCount
        self.library = library
        guard let handle = library.pointee.FLAC__stream_encoder_new() else { throw SystemFileError.cannotWrite(code: ENOMEM) }
        self.handle = handle
        guard 1...8 ~= channelCount, 1...Self.highestSampleRate ~= format.sampleRate else {
            throw AudioFileError(.unsupportedOutput(format), path: path)
        }
        completesHeader = file.canOverwrite && (format.file != .oggFLAC || file.canRead)
        configure(handle, format)
        let context = Unmanaged.passUnretained(self).toOpaque()
        let seek: FLAC__StreamEncoderSeekCallback? = completesHeader ? { FLACSink.sink($2).seek(to: $1) } : nil
        let tell: FLAC__StreamEncoderTellCallback? = completesHeader ? { FLACSink.sink($2).tell($1) } : nil
        let status =
            format.file == .oggFLAC
            ? library.pointee.FLAC__stream_encoder_init_ogg_stream(
                handle, { FLACSink.sink($3).read($1, $2) }, { FLACSink.sink($5).write($1, $2) }, seek, tell, nil, context)
            : library.pointee.FLAC__stream_encoder_init_stream(handle, { FLACSink.sink($5).write($1, $2) }, seek, tell, nil, context)
        if let failure { throw failure }
        guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else { throw AudioFileError(.unsupportedOutput(format), path: path) }
    }

    deinit {
        if let handle { library.pointee.FLAC__stream_encoder_delete(handle) }
        for block in metadata { library.pointee.FLAC__metadata_object_delete(block) }
    }

    /// The maximum sample rate in a header, in hertz.
    private static let highestSampleRate = 1_048_575

    private func configure(_ handle: OpaquePointer, _ format: PCMOutputFormat) {
        let functions = library.pointee
        _ = functions.FLAC__stream_encoder_set_channels(handle, UInt32(channelCount))
        _ = functions.FLAC__stream_encoder_set_bits_per_sample(handle, UInt32(encoding.byteCount * 8))
        _ = functions.FLAC__stream_encoder_set_sample_rate(handle, UInt32(format.sampleRate))
        _ = functions.FLAC__stream_encoder_set_compression_level(handle, Self.compressionLevel)
        // Sample rates without a frame header code are stored only in STREAMINFO.
        _ = functions.FLAC__stream_encoder_set_streamable_subset(handle, 0)
        if let count = format.expectedFrameCount, count > 0 {
            _ = functions.FLAC__stream_encoder_set_total_samples_estimate(handle, FLAC__uint64(count))
            addSeekTable(count, format)
        }
        let tags = format.file.tagStorage.storable(format.tags)
        addComments(tags, format)
        addPadding(format.file == .flac ? format.reservedTagByteCount : 0)
        for picture in tags.pictures { addPicture(picture) }
        metadata.withUnsafeMutableBufferPointer { blocks in
            _ = functions.FLAC__stream_encoder_set_metadata(handle, blocks.baseAddress, UInt32(blocks.count))
        }
    }

    /// Adds a seek table.
    ///
    /// libFLAC fills its points as it writes frames.
    private func addSeekTable(_ frameCount: Int, _ format: PCMOutputFormat) {
        guard format.file == .flac, completesHeader, let block = library.pointee.FLAC__metadata_object_new(FLAC__METADATA_TYPE_SEEKTABLE)
        else { return }
        let spacing = UInt32(clamping: Self.seekPointSeconds * format.sampleRate)
        _ = library.pointee.FLAC__metadata_object_seektable_template_append_spaced_points_by_samples(
            block, spacing, FLAC__uint64(frameCount))
        metadata.append(block)
    }

    /// Adds the tags, and the channel layout of more than two channels.
    private func addComments(_ tags: AudioTags, _ format: PCMOutputFormat) {
        var comments = VorbisComments(tags: tags).texts(.flac)
        if format.channelCount > 2, let layout = format.channelLayout, let mask = layout.waveMask {
            comments.append(VorbisComments.channelMask + "=0x" + String(mask, radix: 16, uppercase: true))
        }
        // libFLAC adds missing comments, but does not include them in the block count of Ogg.
        guard !comments.isEmpty || format.file == .oggFLAC,
            let block = library.pointee.FLAC__metadata_object_new(FLAC__METADATA_TYPE_VORBIS_COMMENT)
        else { return }
        for comment in comments {
            var bytes = Array(comment.utf8)
            bytes.withUnsafeMutableBufferPointer { text in
                // The text is copied.
                let entry = FLAC__StreamMetadata_VorbisComment_Entry(length: FLAC__uint32(text.count), entry: text.baseAddress)
                _ = library.pointee.FLAC__metadata_object_vorbiscomment_append_comment(block, entry, 1)
            }
        }
        metadata.append(block)
    }

    /// Adds padding, directly after the comments.
    private func addPadding(_ byteCount: Int) {
        guard byteCount > 0, completesHeader, file.canRead else { return }
        guard let block = library.pointee.FLAC__metadata_object_new(FLAC__METADATA_TYPE_PADDING) else { return }
        block.pointee.length = FLAC__uint32(byteCount)
        metadata.append(block)
        hasPadding = true
    }

    /// Replaces the chapters in the header, which libFLAC has written.
    ///
    /// Comments always follow the stream information: libFLAC adds a block without comments if it gets none.
    func setChapters(_ chapters: [AudioTags.Chapter]) throws -> Bool {
        guard hasPadding else { return false }
        let start = Self.commentOffset
        let blocks = try file.bytes(in: start..<start + Self.maximumTagByteCount)
        guard let changed = FLACMetadata.replacingChapters(in: blocks, with: chapters) else { return false }
        try file.overwrite(changed, at: start)
        return true
    }

    /// Adds a picture, which libFLAC copies.
    private func addPicture(_ picture: AudioTags.Picture) {
        let functions = library.pointee
        guard let block = functions.FLAC__metadata_object_new(FLAC__METADATA_TYPE_PICTURE) else { return }
        block.pointee.data.picture.type = UInt32(picture.kind.rawValue)
        var mediaType = picture.mediaType.utf8CString.map { $0 }
        var text = picture.text.utf8CString.map { UInt8(bitPattern: $0) }
        var bytes = picture.bytes
        _ = functions.FLAC__metadata_object_picture_set_mime_type(block, &mediaType, 1)
        _ = functions.FLAC__metadata_object_picture_set_description(block, &text, 1)
        _ = functions.FLAC__metadata_object_picture_set_data(block, &bytes, FLAC__uint32(bytes.count), 1)
        metadata.append(block)
    }

    func append(_ buffer: PCMBuffer) throws {
        let bitCount = encoding.byteCount * 8
        let sampleCount = buffer.frameCount * channelCount
        if integers.count < sampleCount { integers = [Int32](repeating: 0, count: sampleCount) }
        integers.withUnsafeMutableBufferPointer { target in
            buffer.forEachInterleaved { target[$0] = SampleRounding.integer($1, bitCount: bitCount) }
        }
        try encode(buffer.frameCount)
    }

    /// Writes complete sample frames.
    func append(bytes: [UInt8]) throws {
        let sampleCount = bytes.count / encoding.byteCount
        encoding.unpack(bytes.span.bytes, into: &integers)
        let shift = Int32(32 - encoding.byteCount * 8)
        integers.withUnsafeMutableBufferPointer { target in for index in 0..<sampleCount { target[index] >>= shift } }
        try encode(sampleCount / channelCount)
    }

    func finish() throws {
        guard let handle else { return }
        let isComplete = library.pointee.FLAC__stream_encoder_finish(handle) != 0
        library.pointee.FLAC__stream_encoder_delete(handle)
        self.handle = nil
        try check(isComplete)
    }

    /// Encodes the first `frameCount` sample frames of ``integers``.
    private func encode(_ frameCount: Int) throws {
        guard frameCount > 0 else { return }
        try check(library.pointee.FLAC__stream_encoder_process_interleaved(handle, integers, UInt32(frameCount)) != 0)
    }

    /// Throws the recorded system error, or an input/output error if libFLAC failed.
    private func check(_ isDone: Bool) throws {
        if let failure { throw failure }
        guard isDone else { throw SystemFileError.cannotWrite(code: EIO) }
    }

    private static func sink(_ clientData: UnsafeMutableRawPointer?) -> FLACSink {
        guard let clientData else { preconditionFailure("the library passes the client data that it was given") }
        return Unmanaged.fromOpaque(clientData).takeUnretainedValue()
    }

    private func write(_ bytes: UnsafePointer<FLAC__byte>?, _ count: Int) -> FLAC__StreamEncoderWriteStatus {
        do throws(SystemFileError) {
            try file.write(UnsafeRawBufferPointer(start: bytes, count: count))
            return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
        } catch {
            failure = failure ?? error
            return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR
        }
    }

    /// Rereads written bytes for libFLAC.
    private func read(
        _ target: UnsafeMutablePointer<FLAC__byte>?, _ count: UnsafeMutablePointer<Int>?
    ) -> FLAC__StreamEncoderReadStatus {
        do throws(SystemFileError) {
            let found = try file.readFully(into: UnsafeMutableRawBufferPointer(start: target, count: count?.pointee ?? 0))
            count?.pointee = found
            return found > 0 ? FLAC__STREAM_ENCODER_READ_STATUS_CONTINUE : FLAC__STREAM_ENCODER_READ_STATUS_END_OF_STREAM
        } catch {
            failure = failure ?? error
            return FLAC__STREAM_ENCODER_READ_STATUS_ABORT
        }
    }

    /// Seeks for libFLAC, which completes the header.
    private func seek(to offset: FLAC__uint64) -> FLAC__StreamEncoderSeekStatus {
        do throws(SystemFileError) {
            try file.seek(to: Int(clamping: offset))
            return FLAC__STREAM_ENCODER_SEEK_STATUS_OK
        } catch {
            failure = failure ?? error
            return FLAC__STREAM_ENCODER_SEEK_STATUS_ERROR
        }
    }

    private func tell(_ offset: UnsafeMutablePointer<FLAC__uint64>?) -> FLAC__StreamEncoderTellStatus {
        guard let found = file.offset else { return FLAC__STREAM_ENCODER_TELL_STATUS_ERROR }
        offset?.pointee = FLAC__uint64(found)
        return FLAC__STREAM_ENCODER_TELL_STATUS_OK
    }
}
#endif
