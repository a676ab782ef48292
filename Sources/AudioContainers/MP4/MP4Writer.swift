// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// Writes access units into an M4A file.
///
/// Gapless playback is provided for in three ways: edit list, roll group, and iTunes' tag. SBR and PS are signalled as the
/// configuration says. The same units always give the same bytes.
public struct MP4Writer: AudioWriter {
    /// Where the index of the file stands.
    public enum Layout: Hashable, Sendable {
        /// Behind the sound; the sink has to allow changes.
        case indexBehind
        /// In front, so that playing can begin while the file still loads; the sink has to allow changes.
        ///
        /// Room is set aside for the expected number of units. If more come, the index goes behind the sound.
        case indexInFront(expectedUnitCount: Int)
        /// In pieces between the sound, for pipes, and for files that can be played when the writer has died.
        ///
        /// `priming` is the number of sample frames of the output rate that come before the sound.
        case fragmented(unitsPerFragment: Int, priming: Int)
        /// In pieces while it is written, so that the file can be played when the writer has died, and behind the sound at the end.
        ///
        /// The pieces' indexes then lie unused between the sound. The sink has to allow changes.
        case fragmentedUntilFinished(unitsPerFragment: Int, priming: Int)

        fileprivate var fragments: (unitCount: Int, priming: Int)? {
            switch self {
            case .fragmented(let count, let priming), .fragmentedUntilFinished(let count, let priming): (max(1, count), priming)
            case .indexBehind, .indexInFront: nil
            }
        }

        fileprivate var hasIndexAtEnd: Bool {
            if case .fragmented = self { false } else { true }
        }
    }

    /// What a file can be beyond its configuration.
    public struct Options: Hashable, Sendable {
        /// Where the index stands.
        public var layout: Layout
        /// Title, artist and so on.
        public var tags: AudioTags
        /// Whether times count in sample frames of the core and not of SBR's output, as in Apple's files.
        public var usesCoreTimescale: Bool

        /// Makes options.
        public init(layout: Layout = .indexBehind, tags: AudioTags = AudioTags(), usesCoreTimescale: Bool = false) {
            self.layout = layout
            self.tags = tags
            self.usesCoreTimescale = usesCoreTimescale
        }
    }

    /// The largest access unit in bytes; none that is AAC comes near.
    public static let maximumUnitByteCount = 1 << 20

    private let options: Options
    private var movie: MP4MovieBuilder
    /// Units that the next fragment will hold.
    private var fragment = MP4FragmentBuilder()
    private var isStarted = false
    private var isFinished = false
    /// The place of the file's first byte in the sink.
    private var start = 0
    /// The place of the room for the index, and its size.
    private var reserved = 0..<0
    /// The place of the header of the sound.
    private var mediaStart = 0

    /// Makes a writer.
    ///
    /// Throws ``ContainerError/unsupportedObjectType(_:allowed:)`` for types whose units have no length known here.
    public init(_ configuration: AudioSpecificConfig, options: Options = Options()) throws(ContainerError) {
        guard configuration.frameLength != nil else {
            throw .unsupportedObjectType(configuration.objectType, allowed: [.aacMain, .aacLC, .aacLTP, .errorResilientAACLD])
        }
        self.options = options
        movie = MP4MovieBuilder(
            configuration, usesCoreTimescale: options.usesCoreTimescale, tags: options.tags,
            unitsPerChunk: options.layout.fragments?.unitCount)
    }

    /// Writes a unit, or keeps it for the next fragment.
    public mutating func append(_ unit: AccessUnit, to sink: inout some ByteSink) throws(ContainerError) {
        precondition(!isFinished, "a unit after the end")
        guard !unit.payload.isEmpty else { throw .emptyAccessUnit }
        guard unit.payload.count <= Self.maximumUnitByteCount else {
            throw .accessUnitTooLong(byteCount: unit.payload.count, limit: Self.maximumUnitByteCount)
        }
        try begin(&sink)
        guard let unitsPerFragment = options.layout.fragments?.unitCount else {
            let offset = sink.byteCount - start
            try sink.append(unit.payload)
            return movie.add(unit.payload.count, at: offset)
        }
        // A full fragment waits for the next unit: the last one of all has to tell where the sound ends.
        if fragment.unitCount >= unitsPerFragment { try writeFragment(remainder: 0, &sink) }
        fragment.add(unit.payload)
    }

    /// Writes the index, or the last fragment.
    ///
    /// Nothing can be appended afterwards.
    public mutating func finish(_ gaplessInfo: GaplessInfo?, to sink: inout some ByteSink) throws(ContainerError) {
        precondition(!isFinished, "an end after the end")
        try begin(&sink)
        isFinished = true
        if fragment.unitCount > 0 { try writeFragment(remainder: gaplessInfo?.remainderFrames ?? 0, &sink) }
        guard options.layout.hasIndexAtEnd else { return }
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
        try finishMedia(end: mediaEnd, &sink)
    }

    private mutating func begin(_ sink: inout some ByteSink) throws(ContainerError) {
        guard !isStarted else { return }
        guard sink.canOverwrite || !options.layout.hasIndexAtEnd else { throw .sinkCannotOverwrite }
        start = sink.byteCount
        var front = BoxWriter()
        if let priming = options.layout.fragments?.priming {
            front.write(FileTypeBox(majorBrand: "M4A ", compatibleBrands: ["M4A ", "mp42", "iso5"]))
            mediaStart = start + front.bytes.count
            front.write(movie.fragmentedMovie(priming: priming))
            try sink.append(front.bytes)
        } else {
            front.write(FileTypeBox(majorBrand: "M4A ", compatibleBrands: ["M4A ", "mp42", "isom"]))
            if case .indexInFront(let count) = options.layout { reserve(movie.indexByteCount(unitCount: max(0, count)), &front) }
            mediaStart = start + front.bytes.count
            // An empty box first, so that a 64-bit length has room.
            front.box("free") { _ in }
            front.box("mdat") { _ in }
            try sink.append(front.bytes)
        }
        isStarted = true
    }

    private mutating func writeFragment(remainder: Int, _ sink: inout some ByteSink) throws(ContainerError) {
        let sizes = fragment.sizes
        let bytes = fragment.flush(movie, remainder: remainder)
        var place = sink.byteCount - start + bytes.count - sizes.reduce(0) { $0 + Int($1) }
        try sink.append(bytes)
        guard options.layout.hasIndexAtEnd else { return }
        for size in sizes {
            movie.add(Int(size), at: place)
            place += Int(size)
        }
    }

    private mutating func reserve(_ byteCount: Int, _ front: inout BoxWriter) {
        reserved = start + front.bytes.count..<start + front.bytes.count + byteCount
        front.box("free") { $0.write(repeatElement(0, count: byteCount - 8)) }
    }

    /// Gives the sound its length, where the index of the front was in pieces by becoming a part of it.
    private func finishMedia(end: Int, _ sink: inout some ByteSink) throws(ContainerError) {
        let byteCount = end - (mediaStart + 8)
        var header = BoxWriter()
        guard options.layout.fragments != nil || byteCount > Int(UInt32.max) else {
            header.write(byteCount, 4)
            return try sink.overwrite(header.bytes, at: mediaStart + 8)
        }
        header.write(1, 4)
        header.write("mdat")
        header.write(end - mediaStart, 8)
        try sink.overwrite(header.bytes, at: mediaStart)
    }
}
