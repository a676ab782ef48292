// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The file type and the types that it is compatible with (`ftyp`, ISO/IEC 14496-12, 4.3).
struct FileTypeBox: Equatable {
    static let type: FourCharCode = "ftyp"

    var majorBrand: FourCharCode
    var minorVersion = 0
    var compatibleBrands: [FourCharCode]
}

extension FileTypeBox: Box {
    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        majorBrand = try cursor.readCode()
        minorVersion = try cursor.readInteger(4)
        compatibleBrands = []
        while cursor.remaining >= 4 {
            compatibleBrands.append(try cursor.readCode())
        }
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        writer.write(majorBrand)
        writer.write(minorVersion, 4)
        for brand in compatibleBrands {
            writer.write(brand)
        }
    }
}
