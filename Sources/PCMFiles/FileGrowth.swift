// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives

/// An upper bound for the size of a file, from counts that are the same in every run.
///
/// FLAC counts as uncompressed PCM, because its size is known only after writing.
package struct FileGrowth: Hashable, Sendable {
    private var perFile = 0
    private var perFrame = 0
    /// The bytes of container headers per access unit.
    private var perUnit = 0
    /// The bytes in the file per 1000 bytes of payload; 0 for PCM.
    private var perThousand = 0

    /// Creates the bound of a PCM file.
    package init(bytesPerFrame: Int, tags: Int) {
        perFrame = bytesPerFrame
        perFile = 1024 + tags
    }

    /// Creates the bound of a container.
    ///
    /// - Parameter tags: The size of tags and pictures, in bytes.
    package init(_ container: AudioFileFormat, tags: Int) {
        perFile = 4096 + tags
        (perUnit, perThousand) =
            switch container {
            case .adts: (9, 1000)
            case .loas: (24, 1004)
            case .transportStream: (600, 1022)
            case .dab: (24, 1200)
            case .oggOpus: (8, 1004)
            // An entry in a fragment, and one in the index.
            default: (32, 1000)
            }
    }

    /// Returns the bound after counted frames, access units and payload bytes.
    package func byteCount(frames: Int, accessUnits: Int, payload: Int) -> Int {
        perFile + perFrame * frames + perUnit * accessUnits + perThousand * payload / 1000
    }
}

extension AudioTags {
    /// An upper bound for the stored size, in bytes.
    package var byteCount: Int {
        fields.reduce(0) { $0 + $1.value.utf8.count + 64 } + pictures.reduce(0) { $0 + $1.bytes.count + 256 } + 256 * chapters.count
    }
}
