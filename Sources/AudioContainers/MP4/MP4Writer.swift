// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// Writes an M4A file (ISO/IEC 14496-12 and 14496-14).
///
/// Gapless playback is signalled by an edit list, a roll group and the iTunes tag `iTunSMPB`. SBR and PS are signalled as in the
/// configuration. The same access units always produce the same bytes.
package struct MP4Writer<Sink: ByteSink>: ContainerWriter {
    /// The maximum access unit size in bytes, far larger than any AAC access unit.
    package static var maximumUnitByteCount: Int { SampleTable.maximumUnitByteCount }

    package var sink: Sink

    private let options: MP4WriterOptions
    private var movie: MP4MovieBuilder
    /// The pending access units of the next fragment.
    private var fragment = MP4FragmentBuilder()
    private var isStarted = false
    private var isFinished = false
    /// The offset of the file's first byte in the sink.
    private var start = 0
    /// The range reserved for the index.
    private var reserved = 0..<0
    /// The offset of the media data header.
    private var mediaStart = 0

    /// Creates a writer.
    ///
    /// - Parameter sink: The destination. The file starts at the sink's current end.
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types with unknown frame length;
    ///   ``ContainerError/codecNotStorable(_:in:)`` for iLBC; ``ContainerError/sinkCannotOverwrite`` if the layout requires overwriting.
    package init(
        to sink: Sink, _ configuration: CodecConfiguration, options: MP4WriterOptions = MP4WriterOptions()
    ) throws(ContainerError) {
        guard sink.canOverwrite || !options.layout.hasIndexAtEnd else { throw .sinkCannotOverwrite }
        try configuration.checkFrameLength()
        if case .ilbc = configuration { throw .codecNotStorable(configuration.formatID, in: .m4a) }
        self.sink = sink
        self.options = options
        movie = MP4MovieBuilder(
            configuration, usesCoreTimescale: options.usesCoreTimescale, tags: options.tags,
            unitsPerChunk: options.layout.fragments?.accessUnitCount)
    }

    /// Creates a writer for AAC.
    ///
    /// - Throws: ``ContainerError`` as for other configurations.
    package init(
        to sink: Sink, _ configuration: AudioSpecificConfig, options: MP4WriterOptions = MP4WriterOptions()
    ) throws(ContainerError) {
        try self.init(to: sink, .aac(configuration), options: options)
    }

    /// Writes an access unit, or buffers it for the next fragment.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or
    ///   ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) {
        precondition(!isFinished, "append after finish")
        try accessUnit.checkLength(limit: Self.maximumUnitByteCount)
        try begin()
        guard let unitsPerFragment = options.layout.fragments?.accessUnitCount else {
            let offset = sink.byteCount - start
            try sink.append(accessUnit.payload)
            return movie.add(
                accessUnit.payload.count, ticks: movie.ticks(of: accessUnit), isSync: movie.isSync(accessUnit.payload), at: offset)
        }
        // A full fragment waits for the next access unit, because the last fragment also signals the padding.
        if fragment.accessUnitCount >= unitsPerFragment { try writeFragment(remainder: 0) }
        fragment.add(accessUnit.payload, ticks: movie.ticks(of: accessUnit), isSync: movie.isSync(accessUnit.payload))
    }

    /// Writes the index or the last fragment.
    ///
    /// - Parameter gaplessInfo: Priming and padding in output sample frames, or `nil` if unknown.
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        precondition(!isFinished, "finish after finish")
        try begin()
        isFinished = true
        if fragment.accessUnitCount > 0 { try writeFragment(remainder: gaplessInfo?.remainderFrames ?? 0) }
        guard options.layout.hasIndexAtEnd else { return }
        let titles = movie.placeChapters(at: sink.byteCount - start)
        if !titles.isEmpty { try sink.append(titles) }
        let mediaEnd = sink.byteCount
        var index = BoxWriter()
        index.write(movie.movie(gaplessInfo))
        let left = reserved.count - index.bytes.count
        if left == 0 || left >= 8 {
            if left > 0 { index.box("free") { $0.write(repeatElement(0, count: left - 8)) } }
            try sink.overwrite(index.bytes, at: reserved.lowerBound)
        } else {
            try sink.append(index.bytes)
        }
        try finishMedia(end: mediaEnd)
    }

    /// Writes the boxes before the media data, if not yet written.
    private mutating func begin() throws(ContainerError) {
        guard !isStarted else { return }
        start = sink.byteCount
        var front = BoxWriter()
        if let priming = options.layout.fragments?.priming {
            front.fileType(brands(last: "iso5"))
            mediaStart = start + front.bytes.count
            front.write(movie.fragmentedMovie(priming: priming))
            try sink.append(front.bytes)
        } else {
            front.fileType(brands(last: "isom"))
            if case .indexAtStart(let count) = options.layout { reserve(movie.indexByteCount(accessUnitCount: max(0, count)), &front) }
            mediaStart = start + front.bytes.count
            // An empty box, which a 64-bit size can overwrite.
            front.box("free") { _ in }
            front.box("mdat") { _ in }
            try sink.append(front.bytes)
        }
        isStarted = true
    }

    /// Returns the brands, with Apple's brand only for Apple's codecs.
    private func brands(last: FourCharCode) -> [FourCharCode] { movie.isOpus ? [last, "iso2", "mp41"] : ["M4A ", "mp42", last] }

    /// Writes a fragment with the pending access units.
    ///
    /// The last `remainder` output sample frames are padding.
    private mutating func writeFragment(remainder: Int) throws(ContainerError) {
        let (sizes, durations, syncs) = (fragment.sizes, fragment.durations, fragment.syncs)
        let bytes = fragment.flush(movie, remainder: remainder)
        var offset = sink.byteCount - start + bytes.count - sizes.reduce(0) { $0 + Int($1) }
        try sink.append(bytes)
        guard options.layout.hasIndexAtEnd else { return }
        for index in sizes.indices {
            movie.add(Int(sizes[index]), ticks: durations[index], isSync: syncs[index], at: offset)
            offset += Int(sizes[index])
        }
    }

    private mutating func reserve(_ byteCount: Int, _ front: inout BoxWriter) {
        reserved = start + front.bytes.count..<start + front.bytes.count + byteCount
        front.box("free") { $0.write(repeatElement(0, count: byteCount - 8)) }
    }

    /// Writes the size of the media data, which includes the fragments' boxes.
    private mutating func finishMedia(end: Int) throws(ContainerError) {
        let byteCount = end - (mediaStart + 8)
        var header = BoxWriter()
        guard options.layout.fragments != nil || byteCount > Int(clamping: UInt32.max) else {
            header.write(byteCount, 4)
            return try sink.overwrite(header.bytes, at: mediaStart + 8)
        }
        header.write(1, 4)
        header.write("mdat")
        header.write(end - mediaStart, 8)
        try sink.overwrite(header.bytes, at: mediaStart)
    }
}

extension MP4Writer: Sendable where Sink: Sendable {}
