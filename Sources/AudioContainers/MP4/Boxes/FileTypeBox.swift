// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The file type and the types that it is compatible with (`ftyp`, ISO/IEC 14496-12, 4.3).
package struct FileTypeBox: Equatable {
    package static let type: FourCharCode = "ftyp"

    var majorBrand: FourCharCode
    var minorVersion = 0
    var compatibleBrands: [FourCharCode]

    /// Creates a value from its parts.
    package init(majorBrand: FourCharCode, minorVersion: Int = 0, compatibleBrands: [FourCharCode]) {
        self.majorBrand = majorBrand
        self.minorVersion = minorVersion
        self.compatibleBrands = compatibleBrands
    }
}

extension FileTypeBox: Box {
    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        majorBrand = FourCharCode(rawValue: UInt32(truncatingIfNeeded: try cursor.readBits(4)))
        minorVersion = try cursor.readInteger(4)
        compatibleBrands = []
        while cursor.remaining >= 4 {
            compatibleBrands.append(FourCharCode(rawValue: UInt32(truncatingIfNeeded: try cursor.readBits(4))))
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.write(majorBrand)
        writer.write(minorVersion, 4)
        for brand in compatibleBrands {
            writer.write(brand)
        }
    }
}
