// SPDX-License-Identifier: Apache-2.0

extension String {
    // For ASCII names in standards. Unicode case mapping needs tables, which would increase the size of linnet.wasm.

    /// The text with A to Z in lower case, and all other characters unchanged.
    package var asciiLowercased: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
