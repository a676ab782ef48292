// SPDX-License-Identifier: Apache-2.0

/// The counts of a stream that is received over RTP.
public struct RTPStatistics: Hashable, Sendable {
    /// The packets that arrived, each counted once.
    public var receivedPacketCount = 0
    /// The packets that never arrived, between the first and the latest one.
    public var lostPacketCount = 0
    /// The packets that arrived again.
    package var duplicatePacketCount = 0
    /// The packets that arrived after their audio was due.
    public var latePacketCount = 0
    /// The datagrams that are no packet of the stream, or whose contents do not fit.
    package var malformedPacketCount = 0
    /// The datagrams whose encryption or authentication is wrong.
    public var unauthenticatedPacketCount = 0
    /// The new starts of the stream: another sender, or time stamps that do not go on.
    package var restartCount = 0
    /// The access units that were decoded.
    package var unitCount = 0
    /// The access units among them that are damaged.
    package var damagedUnitCount = 0
    /// The access units that were concealed because they are missing.
    public var concealedUnitCount = 0
}
