// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The index of a file (`moov`, ISO/IEC 14496-12, 8.2.1).
package struct MovieBox: Box, Equatable {
    package static let type: FourCharCode = "moov"

    package var header = MovieHeaderBox()
    package var tracks: [TrackBox] = []
    /// Defaults for fragments; nil in a file without.
    package var extends: MovieExtendsBox?
    package var userData: UserDataBox?
    #if !hasFeature(Embedded)
    /// The track of chapters to write; nil without.
    var chapterTrack: ChapterTrackBox?
    #endif

    /// Creates an empty box.
    package init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case MovieHeaderBox.type: header = try MovieHeaderBox(parsing: &body)
            case TrackBox.type: tracks.append(try TrackBox(parsing: &body))
            case MovieExtendsBox.type: extends = try MovieExtendsBox(parsing: &body)
            // Damaged tags don't make the audio unreadable.
            case UserDataBox.type: userData = try? UserDataBox(parsing: &body)
            default: break
            }
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.write(header)
        for track in tracks {
            writer.write(track)
        }
        #if !hasFeature(Embedded)
        chapterTrack?.writeBox(to: &writer)
        #endif
        if let extends { writer.write(extends) }
        if let userData { writer.write(userData) }
    }
}
