// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// What the file may be read as (`ftyp`, ISO/IEC 14496-12, 4.3).
struct FileTypeBox: Box, Equatable {
    static let type: FourCharCode = "ftyp"

    var majorBrand: FourCharCode
    var minorVersion = 0
    var compatibleBrands: [FourCharCode]

    init(majorBrand: FourCharCode, compatibleBrands: [FourCharCode]) {
        self.majorBrand = majorBrand
        self.compatibleBrands = compatibleBrands
    }

    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        majorBrand = FourCharCode(rawValue: UInt32(try cursor.readInteger(4)))
        minorVersion = try cursor.readInteger(4)
        compatibleBrands = []
        while cursor.remaining >= 4 {
            compatibleBrands.append(FourCharCode(rawValue: UInt32(try cursor.readInteger(4))))
        }
    }

    func write(to writer: inout BoxWriter) {
        writer.write(majorBrand)
        writer.write(minorVersion, 4)
        for brand in compatibleBrands {
            writer.write(brand)
        }
    }
}
