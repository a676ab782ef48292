// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio

extension ChannelConfiguration {
    /// The configurations used for writing.
    ///
    /// Excludes 7, which most decoders treat as ordinary 7.1.
    fileprivate static var written: [ChannelConfiguration] { all.filter { $0.rawValue != 7 } }
}

extension ChannelLayout {
    /// The layout with speakers named as in an AAC channel configuration, treating back and side as equal, or `nil` if no configuration
    /// matches.
    ///
    /// Of the configurations with eight channels, 12 has back speakers, as 7.1 in FLAC and WAV, and 14 has top speakers.
    package var namedAsInAAC: ChannelLayout? { ChannelConfiguration.written.lazy.compactMap { matching($0.layout) }.first }

    /// Returns the layout with speakers named as in `needed`, treating back and side as equal, or `nil` if others differ.
    package func matching(_ needed: ChannelLayout) -> ChannelLayout? {
        if needed.permutation(from: self) != nil { return self }
        let swaps: [[Speaker: Speaker]] = [
            [.backLeft: .sideLeft, .backRight: .sideRight], [.sideLeft: .backLeft, .sideRight: .backRight],
        ]
        let renamed = swaps.map { swap in ChannelLayout(speakers.map { swap[$0] ?? $0 }) }
        return renamed.first { needed.permutation(from: $0) != nil }
    }
}
