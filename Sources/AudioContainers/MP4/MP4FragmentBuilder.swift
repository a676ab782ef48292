// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Collects the units of a fragment, and makes its boxes.
struct MP4FragmentBuilder: Sendable {
    private var payload: [UInt8] = []
    /// The sizes of the units collected.
    private(set) var sizes: [UInt32] = []
    private var sequenceNumber = 1
    private var startTime = 0

    init() {}

    /// The number of units collected.
    var unitCount: Int { sizes.count }

    /// Takes a unit.
    mutating func add(_ unit: [UInt8]) {
        payload += unit
        sizes.append(UInt32(unit.count))
    }

    /// The fragment with all units collected; the next one begins after it.
    ///
    /// `remainder` is the number of sample frames of the output rate at the end that are no sound: by so much the last units are
    /// shortened, as far as they are in this fragment.
    mutating func flush(_ movie: MP4MovieBuilder, remainder: Int = 0) -> [UInt8] {
        var run = TrackRunBox(sizes: sizes)
        let ticks = movie.ticks(ofFrames: remainder)
        if ticks > 0 {
            run.durations = [UInt32](repeating: UInt32(movie.unitDuration), count: sizes.count)
            var left = ticks
            for index in sizes.indices.reversed() where left > 0 {
                let taken = min(left, movie.unitDuration)
                run.durations[index] -= UInt32(taken)
                left -= taken
            }
        }
        let bytes = serialized(run, movie)
        startTime += sizes.count * movie.unitDuration
        sequenceNumber += 1
        payload.removeAll(keepingCapacity: true)
        sizes.removeAll(keepingCapacity: true)
        return bytes
    }

    private func serialized(_ run: TrackRunBox, _ movie: MP4MovieBuilder) -> [UInt8] {
        var run = run
        func index(_ run: TrackRunBox) -> BoxWriter {
            var writer = BoxWriter()
            let track = TrackFragmentBox(startTime: startTime, defaultDuration: movie.unitDuration, runs: [run])
            writer.write(MovieFragmentBox(sequenceNumber: sequenceNumber, tracks: [track]))
            return writer
        }
        // Its own length decides where the sound begins.
        run.dataOffset = index(run).bytes.count + 8
        var writer = index(run)
        writer.box("mdat") { $0.write(payload) }
        return writer.bytes
    }
}
