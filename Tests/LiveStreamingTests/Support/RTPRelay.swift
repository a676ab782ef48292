// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LiveStreaming
import Synchronization
import TestSupport

/// A network on this machine that loses, doubles and delays packets by chance, with a seed; reports pass unharmed.
final class RTPRelay: Sendable {
    /// What happens to packets.
    struct Impairment {
        /// The part of the packets that are lost.
        var loss = 0.0
        /// The part of the packets that are sent twice.
        var doubling = 0.0
        /// The longest delay by chance, in milliseconds.
        var delay = 0
    }

    /// What has happened so far.
    struct Counts: Hashable {
        /// The packets that arrived from the sender.
        var sent = 0
        /// The packets that were lost.
        var lost = 0
        /// The packets that were sent twice.
        var doubled = 0
        /// The packets that were passed on after a later one.
        var reordered = 0
    }

    private let counts = Mutex(Counts())
    private let hasEnded = Atomic(false)
    private let finished = DispatchGroup()

    /// Starts a relay from a port and the next one to two others.
    ///
    /// The first 4 packets pass, so that the receiver knows all numbers; what passes after the last loss shows that too.
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

    /// The sockets, which only the relay's thread uses.
    private struct Sockets: @unchecked Sendable {
        let inputs: [UDPSocket]
        let outputs: [UDPSocket]
    }

    /// Passes packets on until the end.
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

    /// Ends the relay, and returns what has happened.
    func end() -> Counts {
        hasEnded.store(true, ordering: .relaxed)
        finished.wait()
        return counts.withLock { $0 }
    }
}
