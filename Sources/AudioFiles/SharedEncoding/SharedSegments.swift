// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemLibrary

/// Distributes the encoding of one file among processes that share a ``SegmentStore``.
///
/// A segment's noise scale depends on the sizes of segments well before it. A process therefore encodes the first unclaimed run, once all
/// runs that it depends on are stored.
final class SharedSegments: Sendable {
    private struct State {
        /// The number of leading runs whose sizes the plan knows.
        var knownCount = 0
        /// The number of leading runs that are stored.
        var doneCount = 0
    }

    private let store: SegmentStore
    private let parallel: ParallelFileEncoding
    private let plan: SegmentNoiseScalePlan?
    private let state = Mutex(State())

    let runLength: Int
    let runCount: Int

    /// The maximum number of segments per run: 90 s at 44.1 kHz, less than half a second of work at the default effort.
    private static let maximumRunLength = 16

    /// Divides a file.
    ///
    /// - Parameter plan: The noise scale of each segment, or `nil` at constant quality.
    init(_ parallel: ParallelFileEncoding, plan: SegmentNoiseScalePlan?, store: SegmentStore) {
        self.parallel = parallel
        self.plan = plan
        self.store = store
        // Allow several independent runs to be encoded at the same time.
        let independent = plan == nil ? parallel.division.count / 8 : SegmentNoiseScalePlan.lag(segmentCount: parallel.division.count) / 16
        runLength = min(max(1, independent), Self.maximumRunLength)
        runCount = (parallel.division.count + runLength - 1) / runLength
    }

    /// The next step of a process.
    private enum Task {
        case encode(Int, SegmentStore.Claim)
        /// Wait for another process's run.
        case wait
        /// Stop: everything is complete or claimed.
        case end
    }

    /// Encodes runs until all are claimed.
    ///
    /// - Parameter isStopped: Whether to end early. Called often, on all threads.
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

    private func next() throws -> Task {
        let first = state.withLock { state in
            while state.doneCount < runCount, store.has(state.doneCount) { state.doneCount += 1 }
            return state.doneCount
        }
        for run in first..<runCount where !store.has(run) {
            guard try knowsDependencies(of: run) else { return .wait }
            guard let claim = try store.claim(run) else { continue }
            // Another process may have completed the run before the claim.
            if !store.has(run) { return .encode(run, claim) }
        }
        return .end
    }

    /// Passes the sizes of stored runs to the plan.
    ///
    /// Returns whether all runs that `run` depends on are stored.
    private func knowsDependencies(of run: Int) throws -> Bool {
        guard let plan else { return true }
        let last = segments(ofRun: run).upperBound - 1
        let needed = max(0, last - SegmentNoiseScalePlan.lag(segmentCount: parallel.division.count))
        return state.withLock { state in
            while state.knownCount * runLength < needed {
                guard let segments = stored(state.knownCount) else {
                    // Missing or damaged.
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

    private func segments(ofRun run: Int) -> Range<Int> { run * runLength..<min(parallel.division.count, (run + 1) * runLength) }

    /// Reads a run from the store, or returns `nil` if it is missing, damaged, or has a different division.
    private func stored(_ run: Int) -> [EncodedSegment]? {
        let expected = segments(ofRun: run)
        guard let found = store.read(run), found.count == expected.count else { return nil }
        let isWhole = zip(expected, found).allSatisfy { index, segment in
            let isLast = index == parallel.division.count - 1
            return segment.end != nil || !isLast && segment.accessUnitCount == parallel.division.segmentLength
        }
        return isWhole ? found : nil
    }

    private func encode(_ run: Int, with encoder: SegmentEncoder) throws -> [EncodedSegment] {
        try segments(ofRun: run).map { segment in
            if let plan { encoder.setFixedNoiseScale(log2: plan.level(ofSegment: segment)) }
            return try encoder.encode(parallel.division.accessUnits(ofSegment: segment))
        }
    }

    /// Waits briefly for other processes.
    private static func pause() { usleep(20_000) }

    /// Returns all segments in order, from the store or newly encoded.
    func joined() -> SegmentSequence { SegmentSequence(self) }

    struct SegmentSequence {
        private let shared: SharedSegments
        private var run = 0
        private var pending: [EncodedSegment] = []

        fileprivate init(_ shared: SharedSegments) { self.shared = shared }

        /// Returns the next segment, or `nil` after the last.
        mutating func next() throws -> EncodedSegment? {
            if pending.isEmpty, run < shared.runCount {
                while pending.isEmpty {
                    pending = shared.stored(run)?.reversed() ?? []
                    if !pending.isEmpty { break }
                    // A missing or damaged run is encoded here, after everything that it depends on.
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
