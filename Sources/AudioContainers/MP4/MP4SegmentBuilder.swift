// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
package import AudioPrimitives

/// Builds the files of a segmented stream: the initialization segment and media segments (ISO/IEC 14496-12, 8.8 and 8.16).
///
/// There is no edit list: fragment times are presentation times.
package struct MP4SegmentBuilder: Sendable {
    private let track: MP4TrackBuilder
    private var fragment = MP4FragmentBuilder()
    private var fragmentCount = 0

    /// The maximum access unit size, in bytes.
    package static var maximumUnitByteCount: Int { SampleTable.maximumUnitByteCount }

    /// Creates a builder.
    ///
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types with unknown frame length;
    ///   ``ContainerError/codecNotStorable(_:in:)`` for iLBC.
    package init(_ configuration: CodecConfiguration) throws(ContainerError) {
        try MP4TrackBuilder.check(configuration)
        track = MP4TrackBuilder(configuration, usesCoreTimescale: false)
    }

    /// The initialization segment: `ftyp` and `moov`.
    package var initializationSegment: [UInt8] {
        var writer = BoxWriter()
        // `iso6` signals `tfdt` and data offsets relative to the fragment, `cxha` the CMAF profile of xHE-AAC.
        writer.fileType(["iso6", "mp41"] + (track.hasSyncUnits ? ["cmfc", "cxha"] : []))
        writer.write(MP4MovieBuilder([track], tags: AudioTags()).fragmentedMovie(priming: [0]))
        return writer.bytes
    }

    /// The box at the start of each media segment (`styp`, ISO/IEC 14496-12, 8.16.2).
    package static var segmentTypeBox: [UInt8] {
        var writer = BoxWriter()
        writer.fileType(["msdh", "iso6"], as: "styp")
        return writer.bytes
    }

    /// Returns a fragment (`moof` and `mdat`) with the given access units.
    ///
    /// - Parameter startTime: The time of the first access unit, in output sample frames.
    package mutating func fragment(_ accessUnits: [AccessUnit], startTime: Int) -> [UInt8] {
        fragment.startTime = startTime
        for accessUnit in accessUnits {
            fragment.add(accessUnit.payload, ticks: track.ticks(of: accessUnit), track.randomAccess(at: accessUnit.payload))
        }
        fragmentCount += 1
        return fragment.flush(track, sequenceNumber: fragmentCount)
    }
}
