// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
package import AudioMetadata
internal import AudioPrimitives

/// A writer that can replace the chapters of its tags until it finishes.
package protocol ChapterWriter<Sink>: ContainerWriter {
    /// Replaces the chapters.
    ///
    /// - Returns: Whether the file can store them; nothing changes otherwise.
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    mutating func setChapters(_ chapters: [AudioTags.Chapter]) throws(ContainerError) -> Bool
}
#endif
