// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
package import AudioPrimitives

/// An item of the iTunes metadata list (`ilst`): a box named after the tag, with a `data` box per value.
package struct MetadataItem: Equatable {
    /// A value with its data type.
    package struct Value: Equatable {
        /// The data type, as in ``DataType``.
        let type: Int
        let bytes: [UInt8]

        package init(type: Int, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }

        init(_ text: String) { self.init(type: DataType.text, bytes: Array(text.utf8)) }

        /// Creates a big-endian integer.
        init(_ number: Int64, byteCount: Int) {
            let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * (byteCount - 1 - $0))) }
            self.init(type: DataType.integer, bytes: bytes)
        }

        /// Creates a track or disc number with its total.
        init(_ position: AudioTags.Position, padding: Int) {
            var bytes: [UInt8] = [0, 0]
            bytes.appendBigEndian(position.number ?? 0, byteCount: 2)
            bytes.appendBigEndian(position.total ?? 0, byteCount: 2)
            self.init(type: DataType.implicit, bytes: bytes + [UInt8](repeating: 0, count: padding))
        }

        init(_ picture: AudioTags.Picture) {
            let type =
                switch picture.mediaType {
                case "image/png": DataType.png
                case "image/bmp": DataType.bmp
                default: DataType.jpeg
                }
            self.init(type: type, bytes: picture.bytes)
        }

        /// The value as text, if its type allows.
        var text: String? {
            switch type {
            case DataType.text: TagText.decode(bytes)
            case DataType.implicit: implicitText
            case DataType.utf16: TagText.utf16(bytes[...], isBigEndian: true)
            case DataType.integer, DataType.unsigned: number.map { String($0) }
            default: nil
            }
        }

        /// The text of an untyped value, or `nil` unless it is UTF-8 without control characters other than tabs and line breaks.
        private var implicitText: String? {
            let isPlain = bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
            return isPlain ? String(validating: bytes, as: UTF8.self) : nil
        }

        /// The value as an unsigned number, or `nil` if it is empty or longer than eight bytes, or exceeds `Int`.
        var number: Int? { (1...8).contains(bytes.count) ? Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) : nil }

        /// The value as a number with its total, or `nil` if it is too short.
        var position: AudioTags.Position? {
            guard bytes.count >= 6 else { return nil }
            let (number, total) = (Int(bytes[2]) << 8 | Int(bytes[3]), Int(bytes[4]) << 8 | Int(bytes[5]))
            return AudioTags.Position(number: number == 0 ? nil : number, total: total == 0 ? nil : total)
        }
    }

    /// The type of a free-form item, which contains its name.
    static let free: FourCharCode = "----"

    enum DataType {
        static let implicit = 0
        static let text = 1
        static let utf16 = 2
        static let jpeg = 13
        static let png = 14
        static let integer = 21
        static let unsigned = 22
        static let bmp = 27
    }

    let type: FourCharCode
    /// The name of a free-form item.
    let name: String?
    private(set) var values: [Value]

    package init(type: FourCharCode, _ values: [Value]) {
        self.type = type
        name = nil
        self.values = values
    }

    /// Creates a free-form item.
    package init(name: String, _ values: [Value]) {
        type = Self.free
        self.name = name
        self.values = values
    }

    init(_ type: FourCharCode, parsing cursor: inout ByteCursor) throws(ContainerError) {
        var name: String?
        values = []
        while case (let inner, var body)? = try cursor.nextBox() {
            switch inner {
            case "name":
                try body.skip(4)
                name = TagText.decode(try body.readRest())
            case "data":
                let dataType = try body.readInteger(4)
                try body.skip(4)
                values.append(Value(type: dataType & 0xFF_FFFF, bytes: try body.readRest()))
            default: break
            }
        }
        self.type = type
        self.name = name
    }

    package func write(to writer: inout BoxWriter) {
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
            for value in values {
                writer.box("data") {
                    $0.write(value.type, 4)
                    $0.write(0, 4)
                    $0.write(value.bytes)
                }
            }
        }
    }
}
