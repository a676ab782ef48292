// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
package import AudioPrimitives

extension AudioTrack {
    /// Returns the audio tracks of a file whose header lists them: MP4, QuickTime and Matroska.
    ///
    /// - Throws: ``ContainerError`` for damaged files.
    package static func tracks(of source: some ByteSource, _ format: AudioFileFormat) throws(ContainerError) -> [AudioTrack] {
        format == .matroska ? try MatroskaIndex(source).audioTracks() : try MP4Index(source).audioTracks()
    }
}

/// The numbers of video and subtitle tracks of a file.
package struct OtherTracks: Hashable, Sendable {
    package private(set) var videoCount = 0
    /// Without the titles of chapters.
    package private(set) var subtitleCount = 0

    /// Counts the tracks of an MP4, QuickTime or Matroska file.
    ///
    /// - Throws: ``ContainerError`` for damaged files.
    package init(of source: some ByteSource, _ format: AudioFileFormat) throws(ContainerError) {
        if format == .matroska {
            let tracks = try MatroskaIndex(source).tracks
            videoCount = tracks.count(where: \.isVideo)
            subtitleCount = tracks.count(where: \.isSubtitle)
        } else {
            let tracks = try MP4Index(source).movie.tracks
            let chapters = Set(tracks.flatMap(\.chapterTrackIDs))
            let others = tracks.filter { !chapters.contains($0.trackID) }
            videoCount = others.count(where: \.isVideo)
            subtitleCount = others.count(where: \.isSubtitle)
        }
    }
}
#endif
