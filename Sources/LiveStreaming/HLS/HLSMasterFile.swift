// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The file of a master playlist, which the streams of all variants update.
final class HLSMasterFile: Sendable {
    private let files: HLSFiles
    /// The variants by their position in the playlist, and the text written last.
    private let state: Mutex<(variants: [HLSVariant?], text: String)>

    /// Creates an object; the file is written by ``update(_:at:)``.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - variantCount: The number of variants.
    init(folder: String, variantCount: Int) {
        files = HLSFiles(folder: folder)
        state = Mutex(([HLSVariant?](repeating: nil, count: variantCount), ""))
    }

    /// Writes the playlist with a variant whose media playlist exists, if anything changes.
    ///
    /// A variant without a media playlist is left out.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func update(_ variant: HLSVariant, at index: Int) throws(StreamingError) {
        let result = state.withLock { state in
            state.variants[index] = variant
            let text = HLSMasterPlaylist(variants: state.variants.compactMap(\.self)).text
            return Result { () throws(StreamingError) in
                guard text != state.text || !files.contains(HLSFileNames.master) else { return }
                try files.write(Array(text.utf8), to: HLSFileNames.master)
                state.text = text
            }
        }
        try result.get()
    }
}
