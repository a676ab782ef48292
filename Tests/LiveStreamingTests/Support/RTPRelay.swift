// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LiveStreaming
import Synchronization
import TestSupport

/// A simulated network that randomly drops, duplicates and delays RTP packets, with a seed.
///
/// RTCP passes unchanged.
final class RTPRelay: Sendable {
    struct Impairment {
        /// The fraction of packets that are lost.
        var loss = 0.0
        /// The fraction of packets that are duplicated.
        var doubling = 0.0
        /// The maximum random delay, in milliseconds.
        var delay = 0
    }

    struct Counts: Hashable {
        /// The number of packets from the sender.
        var sent = 0
        var lost = 0
        /// The number of duplicated packets.
        var doubled = 0
        /// The number of packets passed on after a later one.
        var reordered = 0
    }

    private let counts = Mutex(Counts())
    private let hasEnded = Atomic(false)
    private let finished = DispatchGroup()

    /// Starts a relay from two consecutive ports to two others.
    ///
    /// The first four packets always pass, so that the receiver knows all numbers.
    init(from port: Int, to target: Int, _ impairment: Impairment, seed: UInt64) throws {
        let inputs = try (0...1).map { try UDPSocket(receivingAt: SocketAddress.resolve("127.0.0.1", port: port + $0, for: .datagrams)[0]) }
        let outputs = try (0...1).map {
            try UDPSocket(sendingTo: SocketAddress.resolve("127.0.0.1", port: target + $0, for: .datagrams)[0])
        }
        let sockets = Sockets(inputs: inputs, outputs: outputs)
        finished.enter()
        DispatchQueue(label: "test.relay").async { [self] in
            run(sockets, impairment, SeededRandom(seed: seed))
            finished.leave()
        }
    }

    /// The sockets, used only by the relay's thread.
    private struct Sockets: @unchecked Sendable {
        let inputs: [UDPSocket]
        let outputs: [UDPSocket]
    }

    private func run(_ sockets: Sockets, _ impairment: Impairment, _ seeded: SeededRandom) {
        var random = seeded
        var delayed: [(due: ContinuousClock.Instant, number: Int, bytes: [UInt8])] = []
        var latest = -1
        while !hasEnded.load(ordering: .relaxed) {
            UDPSocket.wait(for: sockets.inputs, timeout: .milliseconds(delayed.isEmpty ? 20 : 1))
            while let bytes = sockets.inputs[0].receive() {
                counts.withLock { counts in
                    let number = counts.sent
                    counts.sent += 1
                    let isLost = Double.random(in: 0..<1, using: &random) < impairment.loss
                    if isLost, number >= 4 {
                        counts.lost += 1
                        return
                    }
                    let isDoubled = Double.random(in: 0..<1, using: &random) < impairment.doubling
                    if isDoubled { counts.doubled += 1 }
                    for _ in 0...(isDoubled ? 1 : 0) {
                        let delay = Int.random(in: 0...impairment.delay, using: &random)
                        delayed.append((.now + .milliseconds(delay), number, bytes))
                    }
                }
            }
            // The report of the end must not overtake the audio.
            delayed.sort { $0.due < $1.due }
            while let next = delayed.first, next.due <= .now {
                delayed.removeFirst()
                try? sockets.outputs[0].send(next.bytes)
                if next.number < latest { counts.withLock { $0.reordered += 1 } }
                latest = max(latest, next.number)
            }
            while delayed.isEmpty, let bytes = sockets.inputs[1].receive() { try? sockets.outputs[1].send(bytes) }
        }
    }

    func end() -> Counts {
        hasEnded.store(true, ordering: .relaxed)
        finished.wait()
        return counts.withLock { $0 }
    }
}
