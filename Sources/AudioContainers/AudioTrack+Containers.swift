// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
package import AudioPrimitives

extension AudioTrack {
    /// Returns the audio tracks of an MP4 or QuickTime file.
    ///
    /// - Throws: ``ContainerError`` for damaged files.
    package static func tracks(ofMP4 source: some ByteSource) throws(ContainerError) -> [AudioTrack] {
        try MP4Index(source).audioTracks()
    }

    /// Returns the audio tracks of a Matroska file.
    ///
    /// - Throws: ``ContainerError`` for damaged files.
    package static func tracks(ofMatroska source: some ByteSource) throws(ContainerError) -> [AudioTrack] {
        try MatroskaIndex(source).audioTracks()
    }
}
#endif
