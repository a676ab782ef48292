// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The sample table of a track (`minf`, ISO/IEC 14496-12, 8.4.4), with `smhd` and `dinf` for audio in the same file.
package struct MediaInformationBox: Box, Equatable {
    package static let type: FourCharCode = "minf"

    package var sampleTable = SampleTableBox()

    /// Creates an empty box.
    init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            if type == SampleTableBox.type { sampleTable = try SampleTableBox(parsing: &body) }
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.box("smhd") {
            $0.writeFullBox()
            $0.write(0, 4)
        }
        Self.writeDataInformation(to: &writer)
        writer.write(sampleTable)
    }

    /// Writes that the media are in this file (`dinf`).
    static func writeDataInformation(to writer: inout BoxWriter) {
        writer.box("dinf") {
            $0.box("dref") {
                $0.writeFullBox()
                $0.write(1, 4)
                $0.box("url ") { $0.writeFullBox(flags: 1) }
            }
        }
    }
}
