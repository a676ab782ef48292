// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio

extension ChannelConfiguration {
    /// The configurations that files are written with: not 7, which most decoders take for ordinary 7.1.
    fileprivate static var written: [ChannelConfiguration] { all.filter { $0.rawValue != 7 } }
}

extension ChannelLayout {
    /// The same channels with the speakers of a channel configuration of AAC, taking back for side and the reverse; nil if none has them.
    ///
    /// Of the configurations with eight channels, 12 has speakers at the back, which FLAC and WAV have in 7.1, and 14 has those above.
    package var namedAsInAAC: ChannelLayout? { ChannelConfiguration.written.lazy.compactMap { matching($0.layout) }.first }

    /// Returns these channels with the speakers named as in `needed`, taking back for side and the reverse; nil if others differ.
    package func matching(_ needed: ChannelLayout) -> ChannelLayout? {
        if needed.permutation(from: self) != nil { return self }
        let swaps: [[Speaker: Speaker]] = [
            [.backLeft: .sideLeft, .backRight: .sideRight], [.sideLeft: .backLeft, .sideRight: .backRight],
        ]
        let renamed = swaps.map { swap in ChannelLayout(speakers.map { swap[$0] ?? $0 }) }
        return renamed.first { needed.permutation(from: $0) != nil }
    }
}
