// SPDX-License-Identifier: Apache-2.0

/// Byte counts on the command line.
enum ByteSize {
    /// Returns the bytes of a text such as `512M`, `1.5G` or `100000`, in powers of 1024; `nil` for other texts.
    static func parse(_ text: String) -> Int? {
        let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        guard let value = Double(decimal: unit == nil ? text[...] : text.dropLast()), value > 0 else { return nil }
        return Int(exactly: (value * (unit ?? 1)).rounded())
    }
}
