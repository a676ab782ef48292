// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The media of a track (`mdia`, ISO/IEC 14496-12, 8.4.1).
package struct MediaBox: Box, Equatable {
    package static let type: FourCharCode = "mdia"

    package var header = MediaHeaderBox()
    var handler = HandlerBox(kind: "soun", name: "SoundHandler")
    package var information = MediaInformationBox()

    /// The number of bytes of the access units of a track that is not audio.
    private(set) var otherByteCount = 0

    /// Whether the track is audio.
    var isAudio: Bool { handler.kind == "soun" }

    #if !hasFeature(Embedded)
    /// Whether the track is text, as that of chapters.
    var isText: Bool { handler.kind == "text" || handler.kind == "sbtl" }
    #endif

    /// Creates an empty box.
    init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        var isKnown = false
        var pending: ByteCursor?
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case MediaHeaderBox.type: header = try MediaHeaderBox(parsing: &body)
            case HandlerBox.type:
                handler = try HandlerBox(parsing: &body)
                isKnown = true
            case MediaInformationBox.type: pending = body
            default: break
            }
        }
        guard isKnown, var body = pending else { return }
        if isAudio {
            information = try MediaInformationBox(parsing: &body)
        } else {
            // Of other tracks only the size matters, except for titles of chapters, and damage in them doesn't.
            let found = try? MediaInformationBox(parsing: &body)
            otherByteCount = found?.sampleTable.sizes.byteCount ?? 0
            #if !hasFeature(Embedded)
            if isText, let found { information = found }
            #endif
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.write(header)
        writer.write(handler)
        writer.write(information)
    }
}
