// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The master playlist file, updated by the streams of all variants.
final class HLSMasterFile: Sendable {
    private let files: HLSFiles
    private let clock: @Sendable () -> Double
    /// The variants by playlist position, the last written text, and the start date.
    private let state: Mutex<(variants: [HLSVariant?], text: String, startDate: Double?)>

    /// Creates the object.
    ///
    /// ``update(_:at:)`` writes the file.
    ///
    /// - Parameter clock: Returns the wall-clock time in seconds since 1970.
    init(folder: String, variantCount: Int, clock: @escaping @Sendable () -> Double) {
        files = HLSFiles(folder: folder)
        self.clock = clock
        state = Mutex(([HLSVariant?](repeating: nil, count: variantCount), "", nil))
    }

    /// The start date of all variants, in seconds since 1970.
    ///
    /// The clock is read once. From then on dates count samples, even if the clock is changed.
    var startDate: Double {
        state.withLock { state in
            let date = state.startDate ?? clock()
            state.startDate = date
            return date
        }
    }

    /// Updates a variant whose media playlist exists, and writes the playlist if it changes.
    ///
    /// The playlist omits variants without a media playlist.
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
