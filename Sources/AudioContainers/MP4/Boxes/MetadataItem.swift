// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// One tag in iTunes' list (`ilst`): a box with the name of the tag and `data` inside.
struct MetadataItem: Equatable {
    /// The value of a tag.
    enum Kind: Equatable {
        case text(String)
        case picture(AudioTags.Picture)
    }

    /// The code of a tag with a free name (`----`), which follows it.
    private static let free: FourCharCode = "----"

    /// The encoding of `data`.
    private enum DataType {
        static let text = 1
        static let jpeg = 13
        static let png = 14
    }

    let type: FourCharCode
    /// The name of a free tag.
    let name: String?
    let kind: Kind

    /// Creates a box.
    init(type: FourCharCode, kind: Kind) {
        self.type = type
        name = nil
        self.kind = kind
    }

    /// Creates a box.
    init(name: String, kind: Kind) {
        type = Self.free
        self.name = name
        self.kind = kind
    }

    /// Parses the body of a tag; nil if it holds something else than text or a picture.
    init?(_ type: FourCharCode, parsing cursor: inout ByteCursor) throws(ContainerError) {
        var name: String?
        var found: Kind?
        while case (let inner, var body)? = try cursor.nextBox() {
            switch inner {
            case "name":
                try body.skip(4)
                name = String(decoding: try body.readBytes(body.remaining), as: UTF8.self)
            case "data":
                let dataType = try body.readInteger(4)
                try body.skip(4)
                let bytes = try body.readBytes(body.remaining)
                if dataType == DataType.text { found = .text(String(decoding: bytes, as: UTF8.self)) }
                // Some writers say the wrong kind of picture, or none.
                if type == "covr", let picture = AudioTags.Picture(bytes: bytes) { found = .picture(picture) }
            default: break
            }
        }
        guard let found else { return nil }
        self.type = type
        self.name = name
        kind = found
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        writer.box(type) { writer in
            if let name {
                writer.box("mean") {
                    $0.writeFullBox()
                    $0.write("com.apple.iTunes".utf8)
                }
                writer.box("name") {
                    $0.writeFullBox()
                    $0.write(name.utf8)
                }
            }
            writer.box("data") {
                switch kind {
                case .text(let text):
                    $0.write(DataType.text, 4)
                    $0.write(0, 4)
                    $0.write(text.utf8)
                case .picture(let picture):
                    $0.write(picture.format == .jpeg ? DataType.jpeg : DataType.png, 4)
                    $0.write(0, 4)
                    $0.write(picture.bytes)
                }
            }
        }
    }
}
