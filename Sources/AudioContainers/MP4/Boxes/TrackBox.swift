// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// One track (`trak`, ISO/IEC 14496-12, 8.3.1), with its edit list (`edts`).
package struct TrackBox: Box, Equatable {
    package static let type: FourCharCode = "trak"
    private static let edits: FourCharCode = "edts"

    package var header = TrackHeaderBox()
    package var editList: EditListBox?
    package var media = MediaBox()
    /// The loudness; nil if it is not stated.
    var loudness: LoudnessBox?
    #if !hasFeature(Embedded)
    /// The tracks that hold the chapters of this one.
    package var chapterTrackIDs: [Int] = []
    private static let references: FourCharCode = "tref"
    private static let chapters: FourCharCode = "chap"
    /// The most tracks of chapters: those of titles and of pictures, in several languages.
    private static let chapterTrackLimit = 64
    #endif

    /// Creates an empty box.
    package init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case TrackHeaderBox.type: header = try TrackHeaderBox(parsing: &body)
            case MediaBox.type: media = try MediaBox(parsing: &body)
            case Self.edits:
                while case (let inner, var list)? = try body.nextBox() {
                    if inner == EditListBox.type { editList = try? EditListBox(parsing: &list) }
                }
            #if !hasFeature(Embedded)
            case Self.references:
                while case (let inner, var list)? = try body.nextBox() {
                    guard inner == Self.chapters else { continue }
                    while list.remaining >= 4, chapterTrackIDs.count < Self.chapterTrackLimit {
                        chapterTrackIDs.append(try list.readInteger(4))
                    }
                }
            case UserDataBox.type:
                while case (let inner, var box)? = try body.nextBox() {
                    if inner == LoudnessBox.type { loudness = try? LoudnessBox(parsing: &box) }
                }
            #endif
            default: break
            }
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.write(header)
        if let editList { writer.box(Self.edits) { $0.write(editList) } }
        #if !hasFeature(Embedded)
        if !chapterTrackIDs.isEmpty {
            writer.box(Self.references) { $0.box(Self.chapters) { for trackID in chapterTrackIDs { $0.write(trackID, 4) } } }
        }
        #endif
        writer.write(media)
        #if !hasFeature(Embedded)
        if let loudness { writer.box(UserDataBox.type) { $0.write(loudness) } }
        #endif
    }
}
