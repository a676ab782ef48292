// SPDX-License-Identifier: Apache-2.0

/// The counts of a received RTP stream.
public struct RTPStatistics: Hashable, Sendable {
    /// The number of distinct packets received.
    public var receivedPacketCount = 0
    /// The number of packets missing between the first and the latest one.
    public var lostPacketCount = 0
    package var duplicatePacketCount = 0
    /// The number of packets received after their audio was due.
    public var latePacketCount = 0
    /// The number of datagrams that are not packets of the stream or have invalid contents.
    package var malformedPacketCount = 0
    /// The number of datagrams that failed SRTP authentication.
    public var unauthenticatedPacketCount = 0
    /// The number of restarts: another sender, or timestamps that do not continue.
    package var restartCount = 0
    package var accessUnitCount = 0
    package var damagedUnitCount = 0
    /// The number of missing access units that were concealed.
    public var concealedUnitCount = 0
}
