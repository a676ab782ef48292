// SPDX-License-Identifier: Apache-2.0

extension String {
    // For names that standards give in ASCII. Case by Unicode needs tables, of which linnet.wasm would have its own copy.

    /// The text with the letters A to Z in lower case, and all others as they are.
    package var asciiLowercased: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
