// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata

/// Options of an MP4 file.
package struct MP4WriterOptions: Hashable, Sendable {
    /// The position of the index (`moov`).
    package enum Layout: Hashable, Sendable {
        /// After the media data. The sink must support overwriting.
        case indexAtEnd
        /// Before the media data, for progressive playback. The sink must support overwriting.
        ///
        /// Space is reserved for the expected number of access units. With more, the index follows the media data.
        case indexAtStart(expectedUnitCount: Int)
        /// In fragments (`moof`), for pipes and for files that stay playable if the process ends early.
        ///
        /// `priming` is the number of output sample frames before the first valid one.
        case fragmented(unitsPerFragment: Int, priming: Int)
        /// In fragments while writing, and as one index after the media data when finished.
        ///
        /// The file stays playable if the process ends early. In the finished file, the fragments' boxes are unused bytes inside the media
        /// data. The sink must support overwriting.
        case fragmentedUntilFinished(unitsPerFragment: Int, priming: Int)

        /// The largest expected number of access units that has space reserved: about four days of AAC-LC.
        static let reservedUnitLimit = 1 << 24

        /// Access units per fragment and priming, or `nil` for layouts without fragments.
        var fragments: (accessUnitCount: Int, priming: Int)? {
            switch self {
            case .fragmented(let count, let priming), .fragmentedUntilFinished(let count, let priming): (max(1, count), priming)
            case .indexAtEnd, .indexAtStart: nil
            }
        }

        /// Whether finishing writes an index and overwrites parts of the file.
        var hasIndexAtEnd: Bool {
            if case .fragmented = self { false } else { true }
        }
    }

    /// A track of a fragmented file.
    package struct Track: Hashable, Sendable {
        package var configuration: CodecConfiguration
        package var unitsPerFragment: Int
        /// The number of output sample frames before the first valid one.
        package var priming: Int
        /// The name for players, or `nil` for none.
        package var name: String?
        /// The time of the first valid sample frame in the movie, in output sample frames.
        package var startFrame: Int

        package init(
            _ configuration: CodecConfiguration, unitsPerFragment: Int, priming: Int, name: String? = nil, startFrame: Int = 0
        ) {
            self.configuration = configuration
            self.unitsPerFragment = unitsPerFragment
            self.priming = priming
            self.name = name
            self.startFrame = startFrame
        }
    }

    package var layout: Layout
    /// Title, artist and other tags.
    package var tags: AudioTags
    /// Whether the media timescale is the core sample rate instead of the SBR output rate, as in Apple's files.
    package var usesCoreTimescale: Bool

    package init(layout: Layout = .indexAtEnd, tags: AudioTags = AudioTags(), usesCoreTimescale: Bool = false) {
        self.layout = layout
        self.tags = tags
        self.usesCoreTimescale = usesCoreTimescale
    }
}
