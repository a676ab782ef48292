// SPDX-License-Identifier: Apache-2.0

extension Double {
    /// Creates a value from decimal digits with at most one point and a sign.
    ///
    /// Hexadecimal and other forms give `nil`.
    package init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }) else { return nil }
        self.init(Substring(text))
    }
}
