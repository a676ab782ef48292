// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import CPCMLibraries
internal import SystemFiles

/// A native or Ogg FLAC stream decoded by libFLAC frame by frame, with detection of damaged frames (RFC 9639).
final class FLACDecoder {
    struct Frame {
        /// The frame's first sample frame in the stream, according to its header.
        var start: Int
        /// The number of sample frames.
        var count: Int
        /// Whether the checksum does not match.
        ///
        /// libFLAC then returns silence, and the header is unreliable.
        var isDamaged: Bool
        /// Whether the frame's format differs from the stream's.
        ///
        /// Its samples are then zero.
        var isForeign = false
    }

    /// The STREAMINFO block, if any.
    private(set) var info: FLAC__StreamMetadata_StreamInfo?
    /// The Vorbis comments, each `NAME=value`.
    private(set) var comments: [String] = []
    /// The samples of the latest frame.
    ///
    /// Each channel starts at a multiple of ``planeLength``.
    private(set) var samples: [Int32] = []
    /// The capacity of a channel in ``samples``.
    private(set) var planeLength = 0
    /// The number of bytes that libFLAC has read so far.
    private(set) var byteCount = 0

    let input: FileInput
    private let stream: LibraryStream
    private let isOgg: Bool
    private let library: UnsafePointer<LinnetFLACFunctions>
    private let handle: OpaquePointer
    /// A decoded frame that was not returned yet.
    private var frame: Frame?
    private var isAtEnd = false
    /// Whether an invalid checksum was reported for the next frame.
    private var hasWrongChecksum = false
    /// Whether libFLAC has reported damage since the last returned frame.
    private var hasMetDamage = false
    /// The offset after the last intact frame, or `nil` in Ogg, where frames are in pages.
    private var frameEnd: Int?

    /// Opens a stream and reads its metadata, or returns `nil` if libFLAC cannot be initialized.
    ///
    /// - Parameter input: A seekable file, at its first byte.
    init?(_ input: FileInput, isOgg: Bool, _ library: UnsafePointer<LinnetFLACFunctions>) throws(SystemFileError) {
        guard let handle = library.pointee.FLAC__stream_decoder_new() else { return nil }
        self.input = input
        self.isOgg = isOgg
        stream = LibraryStream(input)
        self.library = library
        self.handle = handle
        _ = library.pointee.FLAC__stream_decoder_set_metadata_respond(handle, FLAC__METADATA_TYPE_VORBIS_COMMENT)
        let open = isOgg ? library.pointee.FLAC__stream_decoder_init_ogg_stream : library.pointee.FLAC__stream_decoder_init_stream
        let status = open?(
            handle, { FLACDecoder.decoder($3).read(into: $1, count: $2) }, { FLACDecoder.decoder($2).seek(to: $1) },
            { FLACDecoder.decoder($2).tell($1) }, { FLACDecoder.decoder($2).length($1) },
            { FLACDecoder.decoder($1).isAtEnd ? 1 : 0 }, { FLACDecoder.decoder($3).receive($1, $2) },
            { FLACDecoder.decoder($2).receive($1) }, { FLACDecoder.decoder($2).record($1) }, Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else { return nil }
        try readMetadata()
    }

    deinit { library.pointee.FLAC__stream_decoder_delete(handle) }

    /// Decodes and returns the next frame, or returns `nil` at the end.
    ///
    /// - Throws: The system error of a failed read.
    func next() throws(SystemFileError) -> Frame? {
        if frame == nil { try decodeFrame() }
        if hasMetDamage, let frameEnd {
            frame = nil
            try recover(from: frameEnd + 1)
        }
        hasMetDamage = false
        recordFrameEnd()
        return frame.take()
    }

    /// Decodes the frame at an offset.
    ///
    /// Returns false if it is damaged; libFLAC's next frame is then pending.
    func decodeFrame(at offset: Int) throws(SystemFileError) -> Bool {
        frame = nil
        (hasMetDamage, hasWrongChecksum, isAtEnd) = (false, false, false)
        _ = stream.seek(offset: Int64(offset), whence: 0)
        _ = library.pointee.FLAC__stream_decoder_flush(handle)
        try decodeFrame()
        return frame != nil && !hasMetDamage
    }

    /// Decodes until a frame is available or the file ends.
    private func decodeFrame() throws(SystemFileError) {
        while frame == nil {
            let isRunning = library.pointee.FLAC__stream_decoder_process_single(handle) != 0
            if let failure = stream.failure { throw failure }
            let state = library.pointee.FLAC__stream_decoder_get_state(handle)
            if !isRunning || state == FLAC__STREAM_DECODER_END_OF_STREAM || state == FLAC__STREAM_DECODER_ABORTED { break }
        }
    }

    /// Reads up to the first frame.
    private func readMetadata() throws(SystemFileError) {
        _ = library.pointee.FLAC__stream_decoder_process_until_end_of_metadata(handle)
        if let failure = stream.failure { throw failure }
        (hasMetDamage, hasWrongChecksum) = (false, false)
        recordFrameEnd()
    }

    /// Records where the next frame starts.
    private func recordFrameEnd() {
        var offset: FLAC__uint64 = 0
        guard !isOgg, library.pointee.FLAC__stream_decoder_get_decode_position(handle, &offset) != 0 else { return }
        frameEnd = Int(clamping: offset)
    }

    /// Moves to a sample frame, where the next frame starts unless it is damaged.
    ///
    /// Returns false if libFLAC does not find it.
    ///
    /// After a failure, call ``restart()`` before anything else.
    func seek(to start: Int) throws(SystemFileError) -> Bool {
        frame = nil
        hasWrongChecksum = false
        let hasMoved = library.pointee.FLAC__stream_decoder_seek_absolute(handle, FLAC__uint64(start)) != 0
        if let failure = stream.failure { throw failure }
        // Bytes that the library skips while seeking are not damage.
        hasMetDamage = false
        recordFrameEnd()
        return hasMoved && frame != nil
    }

    func restart() throws(SystemFileError) {
        frame = nil
        comments = []
        _ = library.pointee.FLAC__stream_decoder_flush(handle)
        _ = library.pointee.FLAC__stream_decoder_reset(handle)
        try readMetadata()
    }

    private static func decoder(_ clientData: UnsafeMutableRawPointer?) -> FLACDecoder {
        guard let clientData else { preconditionFailure("the library passes the client data that it was given") }
        return Unmanaged.fromOpaque(clientData).takeUnretainedValue()
    }

    /// Stores a decoded frame, with its channels and bits converted to the stream's if possible.
    private func receive(
        _ frame: UnsafePointer<FLAC__Frame>?, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>?
    ) -> FLAC__StreamDecoderWriteStatus {
        guard let header = frame?.pointee.header, let channels, let info, stream.failure == nil else {
            return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let count = Int(header.blocksize)
        let (channelCount, foundCount) = (Int(info.channels), Int(header.channels))
        let isForeign =
            max(channelCount, foundCount) > 2 && channelCount != foundCount || header.bits_per_sample > info.bits_per_sample
            || header.sample_rate != info.sample_rate
        self.frame = Frame(
            start: Int(clamping: header.number.sample_number), count: count, isDamaged: hasWrongChecksum, isForeign: isForeign)
        hasWrongChecksum = false
        if planeLength < count {
            planeLength = count
            samples = [Int32](repeating: 0, count: channelCount * count)
        }
        guard !isForeign else { return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE }
        let shift = Int32(info.bits_per_sample - header.bits_per_sample)
        samples.withUnsafeMutableBufferPointer { target in
            for channel in 0..<channelCount {
                guard let source = channels[min(channel, foundCount - 1)], let base = target.baseAddress else { continue }
                let plane = base + channel * planeLength
                plane.update(from: source, count: count)
                // Two channels in a mono stream are mixed, and fewer bits are scaled up.
                if foundCount > channelCount, let other = channels[1] {
                    for index in 0..<count { plane[index] = Int32((Int(source[index]) + Int(other[index])) / 2) }
                }
                if shift > 0 { for index in 0..<count { plane[index] <<= shift } }
            }
        }
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    /// Stores the metadata in use.
    private func receive(_ metadata: UnsafePointer<FLAC__StreamMetadata>?) {
        guard let metadata else { return }
        switch metadata.pointee.type {
        case FLAC__METADATA_TYPE_STREAMINFO: info = info ?? metadata.pointee.data.stream_info
        case FLAC__METADATA_TYPE_VORBIS_COMMENT:
            let block = metadata.pointee.data.vorbis_comment
            comments += (0..<Int(block.num_comments)).compactMap { index in
                guard let entry = block.comments?[index], let text = entry.entry else { return nil }
                return String(decoding: UnsafeBufferPointer(start: text, count: Int(entry.length)), as: UTF8.self)
            }
        default: break
        }
    }

    /// Records damage and whether it makes the next frame unusable.
    private func record(_ status: FLAC__StreamDecoderErrorStatus) {
        hasMetDamage = true
        // Newer versions have an additional status, for silence that replaces missing frames.
        let isBetweenFrames =
            status == FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC || status == FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER
        if !isBetweenFrames { hasWrongChecksum = true }
    }
}

// libFLAC's input callbacks.
extension FLACDecoder {
    private func read(
        into target: UnsafeMutablePointer<FLAC__byte>?, count: UnsafeMutablePointer<Int>?
    ) -> FLAC__StreamDecoderReadStatus {
        guard let count, let target, count.pointee > 0 else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        let found = Int(stream.read(into: target, count: count.pointee))
        count.pointee = found
        byteCount += found
        if stream.failure != nil { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        isAtEnd = found == 0
        return isAtEnd ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
    }

    private func seek(to offset: FLAC__uint64) -> FLAC__StreamDecoderSeekStatus {
        isAtEnd = false
        let found = stream.seek(offset: Int64(clamping: offset), whence: 0)
        return found < 0 ? FLAC__STREAM_DECODER_SEEK_STATUS_ERROR : FLAC__STREAM_DECODER_SEEK_STATUS_OK
    }

    private func tell(_ offset: UnsafeMutablePointer<FLAC__uint64>?) -> FLAC__StreamDecoderTellStatus {
        let found = stream.seek(offset: 0, whence: 1)
        offset?.pointee = FLAC__uint64(clamping: found)
        return found < 0 ? FLAC__STREAM_DECODER_TELL_STATUS_ERROR : FLAC__STREAM_DECODER_TELL_STATUS_OK
    }

    private func length(_ count: UnsafeMutablePointer<FLAC__uint64>?) -> FLAC__StreamDecoderLengthStatus {
        let found = stream.length
        count?.pointee = FLAC__uint64(clamping: found)
        return found < 0 ? FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR : FLAC__STREAM_DECODER_LENGTH_STATUS_OK
    }
}
#endif
