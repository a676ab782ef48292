// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Collects the access units of a track for a fragment and builds its boxes.
///
/// A fragment has access units of one track, so that a track never waits for another.
struct MP4FragmentBuilder: Sendable {
    private var payload: [UInt8] = []
    /// The sizes of the pending access units.
    private(set) var sizes: [UInt32] = []
    /// Their durations, in ticks.
    private(set) var durations: [Int] = []
    /// The start of decoding at each.
    private(set) var randomAccess: [RandomAccess] = []
    /// The start time of the next fragment, in ticks.
    var startTime = 0

    init() {}

    var accessUnitCount: Int { sizes.count }

    mutating func add(_ accessUnit: [UInt8], ticks: Int, _ randomAccess: RandomAccess) {
        self.randomAccess.append(randomAccess)
        payload += accessUnit
        sizes.append(UInt32(accessUnit.count))
        durations.append(ticks)
    }

    /// Returns a fragment with all pending access units and starts the next one.
    ///
    /// - Parameters:
    ///   - sequenceNumber: 1 for the first fragment of a file.
    ///   - remainder: The padding at the end, in output sample frames. The last access units are shortened by it.
    mutating func flush(_ track: MP4TrackBuilder, sequenceNumber: Int, remainder: Int = 0) -> [UInt8] {
        var run = TrackRunBox(sizes: sizes)
        if randomAccess.contains(where: { $0 != .sync }) { run.syncs = randomAccess.map { $0 == .sync } }
        var padding = track.ticks(ofFrames: remainder)
        if padding > 0 || track.unitDuration == nil {
            run.durations = durations.map { UInt32(clamping: $0) }
            for index in sizes.indices.reversed() where padding > 0 {
                let taken = min(padding, durations[index])
                run.durations[index] -= UInt32(taken)
                padding -= taken
            }
        }
        let bytes = serialized(run, track, sequenceNumber)
        startTime += durations.reduce(0, +)
        payload.removeAll(keepingCapacity: true)
        sizes.removeAll(keepingCapacity: true)
        durations.removeAll(keepingCapacity: true)
        randomAccess.removeAll(keepingCapacity: true)
        return bytes
    }

    private func serialized(_ run: TrackRunBox, _ track: MP4TrackBuilder, _ sequenceNumber: Int) -> [UInt8] {
        var run = run
        let recoveryNumbers = randomAccess.indices.filter { randomAccess[$0] == .recovery }.map { UInt32($0 + 1) }
        func index(_ run: TrackRunBox) -> BoxWriter {
            var writer = BoxWriter()
            var part = TrackFragmentBox(startTime: startTime, defaultDuration: track.unitDuration ?? durations.first ?? 0, runs: [run])
            part.trackID = track.trackID
            part.rollGroup =
                track.isOpus
                ? RollGroup(accessUnitCount: sizes.count, distance: track.prerollUnits(durations))
                : track.recoveryGroup(recoveryNumbers, of: sizes.count)
            writer.write(MovieFragmentBox(sequenceNumber: sequenceNumber, tracks: [part]))
            return writer
        }
        // The size of the box determines the data offset.
        run.dataOffset = index(run).bytes.count + 8
        var writer = index(run)
        writer.box("mdat") { $0.write(payload) }
        return writer.bytes
    }
}
