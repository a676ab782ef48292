// SPDX-License-Identifier: Apache-2.0

/// The packet durations of an ``OpusEncoder`` (RFC 6716 2.1.4).
///
/// The raw value is the number of sample frames at 48 kHz. The speech coder is not available below 10 ms.
public enum OpusFrameDuration: Int, Hashable, Sendable, CaseIterable {
    /// 2.5 ms.
    case milliseconds2Point5 = 120
    /// 5 ms.
    case milliseconds5 = 240
    /// 10 ms.
    case milliseconds10 = 480
    /// 20 ms.
    case milliseconds20 = 960
    /// 40 ms, coded as two 20 ms frames unless the packet is pure speech.
    case milliseconds40 = 1920
    /// 60 ms, coded as three 20 ms frames unless the packet is pure speech.
    case milliseconds60 = 2880

    package var milliseconds: Double { Double(rawValue) / 48 }

    /// Creates a duration from milliseconds, or returns `nil` if it is not supported.
    ///
    /// - Parameter milliseconds: 2.5, 5, 10, 20, 40 or 60.
    public init?(milliseconds: Double) {
        guard let duration = Self.allCases.first(where: { $0.milliseconds == milliseconds }) else { return nil }
        self = duration
    }
}
