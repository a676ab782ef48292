// SPDX-License-Identifier: Apache-2.0

/// The durations of packets that an ``OpusEncoder`` makes (RFC 6716 2.1.4).
///
/// The raw value is the number of sample frames at 48 kHz. Packets below 10 ms have no speech coder.
public enum OpusFrameDuration: Int, Hashable, Sendable, CaseIterable {
    /// 2.5 ms.
    case milliseconds2Point5 = 120
    /// 5 ms.
    case milliseconds5 = 240
    /// 10 ms.
    case milliseconds10 = 480
    /// 20 ms.
    case milliseconds20 = 960
    /// 40 ms, as two frames of 20 ms unless all of it is speech.
    case milliseconds40 = 1920
    /// 60 ms, as three frames of 20 ms unless all of it is speech.
    case milliseconds60 = 2880

    /// The duration in milliseconds.
    package var milliseconds: Double { Double(rawValue) / 48 }

    /// Creates the duration of a number of milliseconds; nil if there is none.
    ///
    /// - Parameter milliseconds: 2.5, 5, 10, 20, 40 or 60.
    public init?(milliseconds: Double) {
        guard let duration = Self.allCases.first(where: { $0.milliseconds == milliseconds }) else { return nil }
        self = duration
    }
}
