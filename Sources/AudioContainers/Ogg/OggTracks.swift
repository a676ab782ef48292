// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
internal import AudioMetadata
package import AudioPrimitives

/// The audio tracks of an Ogg file: the multiplexed logical streams with audio at its start, in the order of their first pages.
package struct OggTracks: Sendable {
    fileprivate struct Stream {
        let header: OggAudioHeader
        let serialNumber: UInt32
        var assembler: OggPacketAssembler
        /// Empty before the comment header.
        var tags: AudioTags?
        var packetCount = 0
    }

    private var streams: [Stream] = []

    /// The maximum number of streams, in case of damage.
    private static let streamLimit = 64
    private static let languageKey: AudioTags.Key = "LANGUAGE"

    /// Reads the headers in the first bytes of a file.
    package init(_ front: [UInt8]) {
        var pages = OggPageParser()
        pages.append(front)
        pages.finish()
        var isInFirstPages = true
        while case .page(let page, let range)? = pages.nextEvent() {
            isInFirstPages = isInFirstPages && page.isFirst
            if isInFirstPages {
                guard streams.count < Self.streamLimit, let header = OggAudioHeader(page.body[...]) else { continue }
                streams.append(
                    Stream(
                        header: header, serialNumber: page.serialNumber,
                        assembler: OggPacketAssembler(maximumByteCount: front.count)))
            } else if page.isFirst || streams.allSatisfy({ $0.tags != nil }) {
                break
            }
            guard let index = streams.firstIndex(where: { $0.serialNumber == page.serialNumber }) else { continue }
            for packet in streams[index].assembler.append(page, at: range).packets { streams[index].append(packet.payload) }
        }
    }

    package func isOpus(_ number: Int) -> Bool { streams[number - 1].header.codec == .opus }

    /// The number of the track that is read by default: the first Opus stream, or else the first Vorbis or FLAC stream, if any.
    package var defaultNumber: Int? {
        let index =
            streams.firstIndex { $0.header.codec == .opus } ?? streams.firstIndex { [.vorbis, .flac].contains($0.header.codec) }
        return index.map { $0 + 1 }
    }

    /// Returns the tracks.
    ///
    /// - Parameter number: The track that is read, if any.
    package func tracks(reading number: Int?) -> [AudioTrack] {
        streams.enumerated().map { index, stream in
            let language = stream.tags?[Self.languageKey].first
            var track = AudioTrack(
                number: index + 1, codecName: stream.header.codecName, language: language, isRead: index + 1 == number)
            (track.channelCount, track.sampleRate) = (stream.header.channelCount, stream.header.sampleRate)
            // The title of a single stream is the title of the song.
            if streams.count > 1 { track.name = stream.tags?.title }
            track.isSupported = [.opus, .vorbis, .flac].contains(stream.header.codec)
            return track
        }
    }
}

extension OggTracks.Stream {
    /// Takes a packet; the second one has the comments.
    fileprivate mutating func append(_ packet: [UInt8]) {
        packetCount += 1
        guard packetCount == 2 else { return }
        tags = header.commentOffset.flatMap { VorbisComments(parsing: packet.dropFirst($0))?.tags } ?? AudioTags()
    }
}
#endif
