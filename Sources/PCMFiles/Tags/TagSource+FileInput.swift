// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

package import AudioMetadata
package import SystemFiles

extension TagSource {
    /// Creates a source of the bytes of an input; nil for a pipe.
    init?(_ input: FileInput) {
        guard let byteCount = input.byteCount else { return nil }
        self.init(byteCount: byteCount) { range in
            // A file that can't be read any more fails again where its samples are read.
            (try? input.bytes(at: range)) ?? []
        }
    }
}

extension AudioTags {
    /// Reads the tags of an input by its contents; none from a pipe.
    package init(reading input: FileInput) {
        self.init()
        if let source = TagSource(input) { self.init(reading: source) }
    }
}
