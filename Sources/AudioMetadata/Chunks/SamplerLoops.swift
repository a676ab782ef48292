// SPDX-License-Identifier: Apache-2.0

/// The loops of a WAV file for samplers (`smpl`), unread but for their positions.
struct SamplerLoops: Hashable, Sendable {
    private let body: [UInt8]

    /// The size without loops, and of a loop.
    private static let (headByteCount, loopByteCount) = (36, 24)
    private static let periodBytes = 8..<12
    private static let countBytes = 28..<32
    /// The positions of a loop in sample frames: start and end.
    private static let positions = [8..<12, 12..<16]

    /// Returns `nil` if the chunk is shorter than its number of loops requires.
    init?(_ body: [UInt8]) {
        guard body.count >= Self.headByteCount, Self.number(body[Self.countBytes]) <= (body.count - Self.headByteCount) / Self.loopByteCount
        else { return nil }
        self.body = body
    }

    /// Returns the chunk with its header, with positions at another sample rate.
    func chunk(rate: Int, newRate: Int) -> [UInt8] {
        guard rate != newRate, rate > 0, newRate > 0 else { return [UInt8](chunk: "smpl", body) }
        var changed = body
        func set(_ value: Int, _ bytes: Range<Int>) {
            for (index, byte) in bytes.enumerated() { changed[byte] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        }
        set(1_000_000_000 / newRate, Self.periodBytes)
        for loop in 0..<Self.number(body[Self.countBytes]) {
            let first = Self.headByteCount + loop * Self.loopByteCount
            for position in Self.positions {
                let bytes = first + position.lowerBound..<first + position.upperBound
                let frame = WAVECues.scaled(Self.number(body[bytes]), rate: rate, newRate: newRate)
                set(min(frame, Int(clamping: UInt32.max)), bytes)
            }
        }
        return [UInt8](chunk: "smpl", changed)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
}
