// SPDX-License-Identifier: Apache-2.0

/// Extends the sequence numbers of a stream and tracks which packets have arrived (RFC 3550, A.1).
package struct RTPSequence: Sendable {
    package enum Position: Hashable, Sendable {
        /// A packet that has not arrived before, with its extended number. `isDiscontinuous` means that it does not continue the previous
        /// numbers.
        case new(Int64, isDiscontinuous: Bool)
        /// A packet that has arrived before.
        case duplicate
        /// A packet from an unknown sender or with a distant number. The next packet must confirm it.
        case unconfirmed
    }

    /// The number of packets whose arrival is tracked: more than 20 s of 20 ms packets.
    private static let window: Int64 = 1024
    /// The maximum forward step: one minute of 20 ms packets, as in RFC 3550.
    private static let maximumStep: Int64 = 3000

    /// The sender and the highest number; `nil` before the first packet.
    private var highest: (source: UInt32, number: Int64)?
    private var arrived = [Bool](repeating: false, count: Int(window))
    /// The first packet number since the stream started or restarted.
    private var first: Int64 = 0
    /// The sender and number that would confirm a restart.
    private var candidate: (source: UInt32, number: UInt16)?
    /// The number of packets expected before the restart.
    private var earlierCount = 0

    package private(set) var receivedCount = 0
    package private(set) var duplicateCount = 0

    /// The number of missing packets between the first and the latest number.
    package var lostCount: Int {
        guard let highest else { return 0 }
        return earlierCount + Int(highest.number - first) + 1 - receivedCount
    }

    /// Classifies a received packet and updates the counts.
    package mutating func take(source: UInt32, number: UInt16) -> Position {
        guard let highest else {
            self.highest = (source, Int64(number))
            first = Int64(number)
            mark(first)
            return .new(first, isDiscontinuous: true)
        }
        let step = Int64(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: highest.number)))
        guard source == highest.source, step <= Self.maximumStep, step > -Self.window else { return restart(source, number) }
        candidate = nil
        let position = highest.number + step
        if step > 0 {
            for missing in stride(from: max(highest.number + 1, position - Self.window), to: position, by: 1) {
                arrived[slot(missing)] = false
            }
            self.highest = (source, position)
        } else if arrived[slot(position)] {
            duplicateCount += 1
            return .duplicate
        }
        first = min(first, position)
        mark(position)
        return .new(position, isDiscontinuous: false)
    }

    /// Restarts if a packet confirms the previous one.
    private mutating func restart(_ source: UInt32, _ number: UInt16) -> Position {
        guard let highest, let candidate, candidate == (source, number) else {
            candidate = (source, number &+ 1)
            return .unconfirmed
        }
        earlierCount += Int(highest.number - first) + 1
        self.candidate = nil
        // Numbers continue upwards, congruent to the new sequence numbers.
        let base = highest.number + 1
        first = base + Int64(number &- UInt16(truncatingIfNeeded: base))
        self.highest = (source, first)
        arrived = [Bool](repeating: false, count: Int(Self.window))
        mark(first)
        return .new(first, isDiscontinuous: true)
    }

    private mutating func mark(_ number: Int64) {
        arrived[slot(number)] = true
        receivedCount += 1
    }

    private func slot(_ number: Int64) -> Int { Int(((number % Self.window) + Self.window) % Self.window) }
}
