// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
package import AudioPrimitives

/// The audio tracks of a transport stream: the audio streams of all programs, in the order of the program association table.
package struct TransportStreamTracks: Sendable {
    private struct Stream {
        let choice: TransportStreamChoice
        let codec: FourCharCode
        let hasAccessUnits: Bool
        let isMPEGAudio: Bool
        /// The number of the program map table in the order of arrival.
        let arrival: Int
    }

    private let streams: [Stream]

    /// Reads the tables in the first bytes of a stream.
    ///
    /// Returns `nil` if more bytes may complete them.
    ///
    /// - Parameter isAll: Whether no more bytes can be read.
    package init?(_ front: [UInt8], isAll: Bool) {
        var parser = TransportStreamParser(tables: TransportStreamTables())
        parser.append(front)
        if isAll { parser.finish() }
        while parser.nextEvent() != nil {}
        guard let tables = parser.tables, isAll || tables.isComplete else { return nil }
        streams = tables.programs.flatMap { program in
            guard let map = tables.maps[program] else { return [Stream]() }
            return map.streams.compactMap { stream in
                guard let codec = stream.codec else { return nil }
                return Stream(
                    choice: TransportStreamChoice(program: program, pid: stream.pid, language: stream.language), codec: codec,
                    hasAccessUnits: stream.hasAccessUnits, isMPEGAudio: stream.isMPEGAudio, arrival: map.arrival)
            }
        }
    }

    /// The number of the track that is read by default: the first one with access units, or else the first MPEG audio.
    ///
    /// The first program map table to arrive counts. `nil` if there is neither.
    package var defaultNumber: Int? {
        func first(_ isWanted: (Stream) -> Bool) -> Int? {
            streams.indices.filter { isWanted(streams[$0]) }.min { streams[$0].arrival < streams[$1].arrival }
        }
        return (first(\.hasAccessUnits) ?? first(\.isMPEGAudio)).map { $0 + 1 }
    }

    package var firstCodec: FourCharCode? { streams.first?.codec }

    package func isMPEGAudio(_ number: Int) -> Bool { streams[number - 1].isMPEGAudio }

    package func choice(ofTrack number: Int) -> TransportStreamChoice { streams[number - 1].choice }

    /// Returns the tracks.
    ///
    /// - Parameter number: The track that is read, if any.
    package func tracks(reading number: Int?) -> [AudioTrack] {
        streams.enumerated().map { index, stream in
            let language = stream.choice.language.map { String(decoding: $0, as: UTF8.self) }
            var track = AudioTrack(
                number: index + 1, codecName: stream.codec.codecName,
                language: language.flatMap { LanguageTag.isValid($0) && $0 != LanguageTag.undetermined ? $0 : nil },
                isRead: index + 1 == number)
            track.isSupported = stream.hasAccessUnits || stream.isMPEGAudio
            return track
        }
    }
}
#endif
