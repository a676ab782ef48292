// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives

extension FuzzTarget {
    /// Tests the MPEG transport stream parser with ``expectSameEvents(_:coversAllBytes:_:)``, and the list of its tracks.
    static let ts = FuzzTarget("ts") { bytes in
        expectSameEvents(TransportStreamParser.self, coversAllBytes: false, bytes)
        guard let list = TransportStreamTracks(bytes, isAll: true), let number = list.defaultNumber else { return }
        let tracks = list.tracks(reading: number)
        precondition(tracks.count { $0.isRead } == 1 && tracks.map(\.number) == Array(1...tracks.count), "inconsistent tracks")
        var parser = TransportStreamParser(choice: list.choice(ofTrack: tracks.count))
        parser.append(bytes)
        parser.finish()
        while parser.nextEvent() != nil {}
    }
}
