// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The file of a master playlist, which the streams of all variants update.
final class HLSMasterFile: Sendable {
    private let files: HLSFiles
    private let clock: @Sendable () -> Double
    /// The variants by their position in the playlist, the text written last, and the date of the first connection.
    private let state: Mutex<(variants: [HLSVariant?], text: String, startDate: Double?)>

    /// Creates an object; the file is written by ``update(_:at:)``.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - variantCount: The number of variants.
    ///   - clock: Returns the date and time in seconds since 1970.
    init(folder: String, variantCount: Int, clock: @escaping @Sendable () -> Double) {
        files = HLSFiles(folder: folder)
        self.clock = clock
        state = Mutex(([HLSVariant?](repeating: nil, count: variantCount), "", nil))
    }

    /// The date and time at which the variants start, in seconds since 1970: the same for all.
    ///
    /// The clock is read once: dates count samples from then on, whatever happens to the clock.
    var startDate: Double {
        state.withLock { state in
            let date = state.startDate ?? clock()
            state.startDate = date
            return date
        }
    }

    /// Writes the playlist with a variant whose media playlist exists, if anything changes.
    ///
    /// A variant without a media playlist is left out.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func update(_ variant: HLSVariant, at index: Int) throws(StreamingError) {
        try state.withLock { state throws(StreamingError) in
            state.variants[index] = variant
            let text = HLSMasterPlaylist.text(state.variants.compactMap(\.self))
            guard text != state.text || !files.contains(HLSFileNames.master) else { return }
            try files.write(Array(text.utf8), to: HLSFileNames.master)
            state.text = text
        }
    }
}
