// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata

/// Options of an MP4 file beyond its configuration.
package struct MP4WriterOptions: Hashable, Sendable {
    /// The position of the index (`moov`).
    package enum Layout: Hashable, Sendable {
        /// After the media data; the sink has to support overwriting.
        case indexAtEnd
        /// Before the media data, so that playback can start before the whole file is loaded; the sink has to support overwriting.
        ///
        /// Space is reserved for the expected number of units. If more units are written, the index follows the media data.
        case indexAtStart(expectedUnitCount: Int)
        /// In fragments (`moof`): for pipes, and for files that stay playable if the process ends before the writer has finished.
        ///
        /// `priming` is the number of sample frames of the output rate before the first valid one.
        case fragmented(unitsPerFragment: Int, priming: Int)
        /// In fragments while the file is written, and as one index after the media data when it is finished.
        ///
        /// The file stays playable if the process ends before the writer has finished. In the finished file the boxes of the
        /// fragments are unused bytes inside the media data. The sink has to support overwriting.
        case fragmentedUntilFinished(unitsPerFragment: Int, priming: Int)

        /// The number of units in a fragment and the priming; nil for layouts without fragments.
        var fragments: (unitCount: Int, priming: Int)? {
            switch self {
            case .fragmented(let count, let priming), .fragmentedUntilFinished(let count, let priming): (max(1, count), priming)
            case .indexAtEnd, .indexAtStart: nil
            }
        }

        /// Whether an index is written when the writer finishes, which overwrites parts of the file.
        var hasIndexAtEnd: Bool {
            if case .fragmented = self { false } else { true }
        }
    }

    /// The position of the index.
    package var layout: Layout
    /// Title, artist and so on.
    package var tags: AudioTags
    /// Whether the media timescale is the sample rate of the core and not that of SBR's output, as in Apple's files.
    package var usesCoreTimescale: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - layout: The position of the index.
    ///   - tags: Title, artist and so on.
    ///   - usesCoreTimescale: Whether the media timescale is the sample rate of the core and not that of SBR's output.
    package init(layout: Layout = .indexAtEnd, tags: AudioTags = AudioTags(), usesCoreTimescale: Bool = false) {
        self.layout = layout
        self.tags = tags
        self.usesCoreTimescale = usesCoreTimescale
    }
}
