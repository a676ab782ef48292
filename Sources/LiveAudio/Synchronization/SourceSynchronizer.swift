// SPDX-License-Identifier: Apache-2.0

package import AudioDevices
package import AudioPrimitives

/// Audio of all sources for the same time.
package struct SynchronizedBlock {
    /// One buffer per source, with the recording's sample rate and the same frame count.
    package var buffers: [PCMBuffer]
    /// The first frame's host time, in nanoseconds; 0 if unknown.
    package var hostTime: Int64
}

/// Places the audio of several sources on one timeline.
///
/// The timeline follows the first source with a clock while it runs, and then the host clock. Each other source is aligned by host time and
/// resampled by its measured drift. Sources without a clock are read as needed. Time without audio from a source is silent.
///
/// Used by one thread at a time.
package final class SourceSynchronizer {
    /// The maximum time that the reference waits for another source, in seconds.
    ///
    /// A capture holds audio after a gap for at most 3 s.
    private static let maximumWait = 4
    /// The maximum number of frames per block.
    private static let maximumBlockLength = 8192

    private var sources: [AlignedSource]
    private var reference: ReferenceClock
    private var referenceIndex: Int
    private let hasClock: Bool
    private let sampleRate: Int
    /// The recording's next frame.
    private var position = 0
    private var latestHostTime: Int64 = 0

    /// Creates a synchronizer.
    ///
    /// - Parameters:
    ///   - sampleRate: The recording's sample rate, in hertz.
    ///   - sources: The channel count of each source, and whether it has a clock.
    package init(sampleRate: Int, sources: [(channelCount: Int, hasClock: Bool)]) {
        self.sampleRate = sampleRate
        let clocked = sources.firstIndex { $0.hasClock }
        let first = clocked ?? 0
        (referenceIndex, hasClock) = (first, clocked != nil)
        reference = ReferenceClock(sampleRate: sampleRate)
        self.sources = sources.enumerated().map { index, source in
            AlignedSource(
                index == first ? .reference : source.hasClock ? .follower : .pulled, sampleRate: sampleRate,
                channelCount: source.channelCount)
        }
    }

    /// Returns the speed of a source's clock relative to the first source's, minus 1.
    package func drift(ofSource index: Int) -> Double {
        sources[index].role == .follower ? (1 + sources[referenceIndex].clock.drift) / (1 + sources[index].clock.drift) - 1 : 0
    }

    /// Returns how far a source is ahead of the recording, in seconds.
    func lead(ofSource index: Int) -> Double { Double(sources[index].queueEnd - position) / Double(sampleRate) }

    /// Accepts the next audio of a source.
    ///
    /// - Throws: The error of the sample rate converter or of `emit`.
    package func accept(_ audio: CapturedAudio, from index: Int, emit: (SynchronizedBlock) throws -> Void) throws {
        guard !sources[index].hasEnded else { return }
        try sources[index].accept(audio, reference)
        if index == referenceIndex { reference.source = sources[index].clock }
        try replaceEmptyReference()
        try placeFollowers()
        try emitComplete(emit)
    }

    package func end(source index: Int, emit: (SynchronizedBlock) throws -> Void) throws {
        try sources[index].end(reference)
        if index == referenceIndex {
            reference.source = sources[index].clock
            reference.endSource(at: sources[index].queueEnd)
        }
        try replaceEmptyReference()
        try placeFollowers()
        // Without a clock nothing would limit the speed of the other sources.
        if hasClock, !sources.contains(where: { $0.role != .pulled && !$0.hasEnded }) {
            for index in sources.indices { try sources[index].end(reference) }
        }
        try emitComplete(emit)
    }

    /// Lets another source lead the recording if the reference delivers nothing: it has ended, or the others have waited for it.
    private func replaceEmptyReference() throws {
        let old = sources[referenceIndex]
        guard old.role == .reference, old.isEmpty, let index = sources.firstIndex(where: \.isWaitingForClock) else { return }
        let isAwaited = !old.hasEnded && sources[index].waitingDuration <= Double(Self.maximumWait)
        guard !isAwaited else { return }
        sources[referenceIndex].becomeFollower()
        try sources[index].becomeReference()
        referenceIndex = index
        reference.source = sources[index].clock
        if sources[index].hasEnded { reference.endSource(at: sources[index].queueEnd) }
    }

    private func placeFollowers() throws {
        for index in sources.indices where sources[index].isWaitingForClock { try sources[index].place(reference) }
    }

    private func emitComplete(_ emit: (SynchronizedBlock) throws -> Void) throws {
        let end = completeEnd
        while position < end {
            let range = position..<min(end, position + Self.maximumBlockLength)
            // A new measurement of the clock can move a short block back.
            latestHostTime = max(latestHostTime, Int64((reference.hostTime(ofFrame: position) ?? 0) * 1e9))
            let buffers = sources.indices.map { sources[$0].dequeue(range) }
            position = range.upperBound
            try emit(SynchronizedBlock(buffers: buffers, hostTime: latestHostTime))
        }
    }

    /// Whether all sources have ended, or all with a clock.
    package var isComplete: Bool { sources.allSatisfy(\.hasEnded) }

    /// The frame up to which no source is awaited.
    private var completeEnd: Int {
        let clocked = sources.filter { !hasClock || $0.role != .pulled }
        let end = clocked.map(\.queueEnd).max() ?? 0
        // Without a clock a source is ahead of the recording only because it was read early.
        guard let awaited = sources.filter({ !$0.hasEnded || $0.isWaitingForClock }).map(\.queueEnd).min() else { return end }
        guard hasClock else { return awaited }
        let leading = sources[referenceIndex].hasEnded ? end : sources[referenceIndex].queueEnd
        return max(awaited, leading - Self.maximumWait * sampleRate)
    }
}
