// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Returns the bytes of as many whole characters as fit.
    package func utf8Prefix(_ limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in self {
            guard bytes.count + character.utf8.count <= limit else { break }
            bytes += character.utf8
        }
        return bytes
    }
}
