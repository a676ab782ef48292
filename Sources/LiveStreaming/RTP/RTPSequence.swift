// SPDX-License-Identifier: Apache-2.0

/// The sequence numbers of a stream of packets, counted without wrapping: which have arrived, and how often (RFC 3550, A.1).
package struct RTPSequence: Sendable {
    /// The place of a packet in the stream.
    package enum Place: Hashable, Sendable {
        /// A packet that had not arrived before; `startsAnew` says that its number does not go on from the ones before.
        case new(Int64, startsAnew: Bool)
        /// A packet that arrived before.
        case duplicate
        /// A packet of an unknown sender, or with a number far from the others, which the next one has to confirm.
        case unconfirmed
    }

    /// The numbers for which it is known whether they have arrived: more than 20 s of packets of 20 ms.
    private static let window: Int64 = 1024
    /// The largest step forwards: a minute of packets of 20 ms, as RFC 3550 says.
    private static let largestStep: Int64 = 3000

    /// The sender and the highest number; nil before the first packet.
    private var highest: (source: UInt32, number: Int64)?
    private var arrived = [Bool](repeating: false, count: Int(window))
    /// The number of the first packet since the stream started anew.
    private var first: Int64 = 0
    /// The sender and the number that would confirm a new start.
    private var candidate: (source: UInt32, number: UInt16)?
    /// The packets that were expected before the stream started anew.
    private var earlierCount = 0

    /// The packets that arrived, each counted once.
    package private(set) var receivedCount = 0
    /// The packets that arrived again.
    package private(set) var duplicateCount = 0

    /// The packets that are missing between the first and the latest number.
    package var lostCount: Int {
        guard let highest else { return 0 }
        return earlierCount + Int(highest.number - first) + 1 - receivedCount
    }

    /// Takes a packet that has arrived.
    ///
    /// - Parameters:
    ///   - source: The sender.
    ///   - number: The sequence number.
    package mutating func take(source: UInt32, number: UInt16) -> Place {
        guard let highest else {
            self.highest = (source, Int64(number))
            first = Int64(number)
            mark(first)
            return .new(first, startsAnew: true)
        }
        let step = Int64(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: highest.number)))
        guard source == highest.source, step <= Self.largestStep, step > -Self.window else { return restart(source, number) }
        candidate = nil
        let place = highest.number + step
        if step > 0 {
            for missing in stride(from: max(highest.number + 1, place - Self.window), to: place, by: 1) { arrived[slot(missing)] = false }
            self.highest = (source, place)
        } else if arrived[slot(place)] {
            duplicateCount += 1
            return .duplicate
        }
        first = min(first, place)
        mark(place)
        return .new(place, startsAnew: false)
    }

    /// Starts anew if a packet confirms the one before.
    private mutating func restart(_ source: UInt32, _ number: UInt16) -> Place {
        guard let highest, let candidate, candidate == (source, number) else {
            candidate = (source, number &+ 1)
            return .unconfirmed
        }
        earlierCount += Int(highest.number - first) + 1
        self.candidate = nil
        // The numbers go on upwards, in step with those of the new start.
        let base = highest.number + 1
        first = base + Int64(number &- UInt16(truncatingIfNeeded: base))
        self.highest = (source, first)
        arrived = [Bool](repeating: false, count: Int(Self.window))
        mark(first)
        return .new(first, startsAnew: true)
    }

    /// Notes that a packet has arrived.
    private mutating func mark(_ number: Int64) {
        arrived[slot(number)] = true
        receivedCount += 1
    }

    /// Returns the place of a number in the window.
    private func slot(_ number: Int64) -> Int { Int(((number % Self.window) + Self.window) % Self.window) }
}
