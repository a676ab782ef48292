// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
package import AudioPrimitives

/// Creates the files of a fragmented stream: the initialization segment, and segments of one or more fragments (ISO/IEC 14496-12, 8.8 and 8.16).
///
/// There is no edit list: the times of fragments are those of the presentation.
package struct MP4SegmentBuilder: Sendable {
    private let movie: MP4MovieBuilder
    private var fragment = MP4FragmentBuilder()

    /// The size of the largest access unit in bytes.
    package static var maximumUnitByteCount: Int { SampleTable.maximumUnitByteCount }

    /// Creates a builder.
    ///
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types whose frame length is unknown.
    package init(_ configuration: CodecConfiguration) throws(ContainerError) {
        try configuration.checkFrameLength()
        movie = MP4MovieBuilder(configuration, usesCoreTimescale: false, tags: AudioTags())
    }

    /// The initialization segment: `ftyp` and `moov`.
    package var initializationSegment: [UInt8] {
        var writer = BoxWriter()
        // `iso6` stands for `tfdt` and offsets that count from the fragment.
        writer.fileType(["iso6", "mp41"])
        writer.write(movie.fragmentedMovie(priming: 0))
        return writer.bytes
    }

    /// The box at the start of each segment (`styp`, ISO/IEC 14496-12, 8.16.2).
    package static var segmentTypeBox: [UInt8] {
        var writer = BoxWriter()
        writer.fileType(["msdh", "iso6"], as: "styp")
        return writer.bytes
    }

    /// Returns a fragment: `moof` and `mdat`.
    ///
    /// - Parameters:
    ///   - units: The access units.
    ///   - startTime: The time of the first one in sample frames of the output rate.
    package mutating func fragment(_ units: [AccessUnit], startTime: Int) -> [UInt8] {
        fragment.startTime = startTime
        for unit in units { fragment.add(unit.payload, ticks: movie.ticks(of: unit), isSync: movie.isSync(unit.payload)) }
        return fragment.flush(movie)
    }
}
