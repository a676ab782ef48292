// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import SystemFiles

extension TagSource {
    /// Creates a source from an input, or returns `nil` for a pipe.
    init?(_ input: FileInput) {
        guard let byteCount = input.byteCount else { return nil }
        self.init(byteCount: byteCount) { range in
            // A read error recurs when the samples are read.
            (try? input.bytes(at: range)) ?? []
        }
    }
}

extension AudioTags {
    /// Reads the tags of an input by its contents.
    ///
    /// Empty for a pipe.
    package init(reading input: FileInput) {
        self.init()
        if let source = TagSource(input) { self.init(reading: source) }
    }
}

extension FileInput {
    /// Skips ID3v2 tags.
    ///
    /// Returns false if the file ends inside one.
    func skipID3v2Tags() throws(SystemFileError) -> Bool {
        while true {
            let front = Array(try peek(10))
            guard front.count == 10, front.starts(with: "ID3".utf8), front[6...].allSatisfy({ $0 < 0x80 }) else { return true }
            let size = front[6...].reduce(0) { $0 << 7 | Int($1) }
            guard try skip(10 + size + (front[5] & 0x10 != 0 ? 10 : 0)) else { return false }
        }
    }
}
