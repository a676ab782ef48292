// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata

extension PCMFileFormat {
    /// The place of tags in files of this format.
    package var tagStorage: TagStorage {
        switch self {
        case .wav, .aiff: .id3
        case .caf: .words
        case .flac, .oggFLAC: .flacBlocks
        case .raw: .none
        }
    }
}
