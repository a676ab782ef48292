// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemLibrary

/// The division of one file's encoding among processes that share a ``SegmentStore``.
///
/// A segment's noise scale depends on the sizes of the segments well before it. So a process encodes the first run that nobody has encoded or
/// encodes, once all runs that it depends on are there.
final class SharedSegments: Sendable {
    /// The part of the state that changes.
    private struct State {
        /// Runs from 0 on whose sizes the plan knows, without a gap.
        var knownCount = 0
        /// All runs before this one are in the store.
        var doneCount = 0
    }

    private let store: SegmentStore
    private let parallel: ParallelFileEncoding
    private let plan: SegmentQualityPlan?
    private let state = Mutex(State())

    /// The segments of a run.
    let runLength: Int
    /// The number of runs.
    let runCount: Int

    /// The most segments of a run: 90 s at 44.1 kHz, less than half a second of work at the default effort.
    private static let longestRun = 16

    /// Divides a file.
    ///
    /// - Parameters:
    ///   - parallel: The file's segments.
    ///   - plan: The noise scale of each segment; nil at a constant quality.
    ///   - store: The folder that processes share.
    init(_ parallel: ParallelFileEncoding, plan: SegmentQualityPlan?, store: SegmentStore) {
        self.parallel = parallel
        self.plan = plan
        self.store = store
        // Several runs are encoded at a time, none of which depends on another.
        let independent = plan == nil ? parallel.division.count / 8 : SegmentQualityPlan.lag(segmentCount: parallel.division.count) / 16
        runLength = min(max(1, independent), Self.longestRun)
        runCount = (parallel.division.count + runLength - 1) / runLength
    }

    /// The next step of a process.
    private enum Task {
        /// Encode a run.
        case encode(Int, SegmentStore.Claim)
        /// Wait for a run of another process.
        case wait
        /// Nothing: others encode the rest, or all is done.
        case end
    }

    /// Encodes runs until others encode the last ones.
    ///
    /// - Parameters:
    ///   - threadCount: The number of threads.
    ///   - isStopped: Returns whether to end early; called often, on all threads.
    /// - Throws: The first error of a thread.
    func contribute(threadCount: Int, isStopped: @escaping @Sendable () -> Bool) throws {
        let failure = Mutex<(any Error)?>(nil)
        WorkerThreads.forEach(count: threadCount, threadCount: threadCount) { [self] _ in
            do {
                let encoder = try SegmentEncoder(parallel.source)
                while !isStopped(), failure.withLock({ $0 == nil }) {
                    switch try next() {
                    case .encode(let run, let claim):
                        try withExtendedLifetime(claim) { try store.write(encode(run, with: encoder), run: run) }
                    case .wait: SharedSegments.pause()
                    case .end: return
                    }
                }
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Returns the run to encode now.
    private func next() throws -> Task {
        let first = state.withLock { state in
            while state.doneCount < runCount, store.has(state.doneCount) { state.doneCount += 1 }
            return state.doneCount
        }
        for run in first..<runCount where !store.has(run) {
            guard try knowsDependencies(of: run) else { return .wait }
            guard let claim = try store.claim(run) else { continue }
            // It may have been completed before it was claimed.
            if !store.has(run) { return .encode(run, claim) }
        }
        return .end
    }

    /// Tells the plan the sizes of stored runs, and returns whether they are all that a run depends on.
    private func knowsDependencies(of run: Int) throws -> Bool {
        guard let plan else { return true }
        let last = segments(ofRun: run).upperBound - 1
        let needed = max(0, last - SegmentQualityPlan.lag(segmentCount: parallel.division.count))
        return state.withLock { state in
            while state.knownCount * runLength < needed {
                guard let segments = stored(state.knownCount) else {
                    // Not there yet, or damaged.
                    store.remove(state.knownCount)
                    state.doneCount = min(state.doneCount, state.knownCount)
                    return false
                }
                for (index, segment) in segments.enumerated() {
                    plan.finish(segment: state.knownCount * runLength + index, bitCount: 8 * segment.bytes.count)
                }
                state.knownCount += 1
            }
            return true
        }
    }

    /// Returns the segments of a run.
    private func segments(ofRun run: Int) -> Range<Int> { run * runLength..<min(parallel.division.count, (run + 1) * runLength) }

    /// Returns a run from the store; nil if it is not there, damaged, or of another division.
    private func stored(_ run: Int) -> [EncodedSegment]? {
        let expected = segments(ofRun: run)
        guard let found = store.read(run), found.count == expected.count else { return nil }
        let isWhole = zip(expected, found).allSatisfy { index, segment in
            let isLast = index == parallel.division.count - 1
            return segment.end != nil || !isLast && segment.unitCount == parallel.division.segmentLength
        }
        return isWhole ? found : nil
    }

    /// Encodes a run.
    private func encode(_ run: Int, with encoder: SegmentEncoder) throws -> [EncodedSegment] {
        try segments(ofRun: run).map { segment in
            if let plan { encoder.setFixedNoiseScale(log2: plan.level(ofSegment: segment)) }
            return try encoder.encode(parallel.division.units(ofSegment: segment))
        }
    }

    /// Waits a little for other processes.
    private static func pause() { usleep(20_000) }

    /// Returns all segments in order, from the store or encoded now.
    func joined() -> SegmentSequence { SegmentSequence(self) }

    /// The segments of a file in order.
    struct SegmentSequence {
        private let shared: SharedSegments
        private var run = 0
        private var pending: [EncodedSegment] = []

        /// Starts with the first segment.
        fileprivate init(_ shared: SharedSegments) { self.shared = shared }

        /// Returns the next segment; nil after the last.
        mutating func next() throws -> EncodedSegment? {
            if pending.isEmpty, run < shared.runCount {
                while pending.isEmpty {
                    pending = shared.stored(run)?.reversed() ?? []
                    if !pending.isEmpty { break }
                    // Missing or damaged: encoded here with what comes before it.
                    guard try shared.knowsDependencies(of: run), let claim = try shared.store.claim(run) else {
                        SharedSegments.pause()
                        continue
                    }
                    try withExtendedLifetime(claim) {
                        try shared.store.write(shared.encode(run, with: SegmentEncoder(shared.parallel.source)), run: run)
                    }
                }
                run += 1
            }
            return pending.popLast()
        }
    }
}
