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
#endif
