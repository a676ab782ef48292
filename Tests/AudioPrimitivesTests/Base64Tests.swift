// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

@Suite struct Base64Tests {
    @Test("Base64 matches RFC 4648")
    func base64() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")] {
            #expect(Base64.encode(Array(bytes.utf8)) == Array(text.utf8) && Base64.string(Array(bytes.utf8)) == text)
            #expect(Base64.decode(text.utf8) == Array(bytes.utf8))
        }
        #expect(Base64.decode("Zm9=v".utf8) == nil && Base64.decode("Zm 9v".utf8) == nil)
        let all = (0...255).map { UInt8($0) }
        #expect(Base64.decode(Base64.encode(all)) == all)
    }
}
