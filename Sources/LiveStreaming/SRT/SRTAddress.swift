// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The parts of the address of an SRT stream: `srt://host:port?mode=caller&latency=120&passphrase=SECRET&streamid=NAME`.
public struct SRTAddress: Hashable, Sendable {
    /// The side that waits for the other.
    public enum Mode: String, Hashable, Sendable {
        /// This side connects to the host.
        case caller
        /// This side waits for a receiver.
        case listener
    }

    /// The name or address of the receiver; for a listener the address to listen at, empty for all.
    public var host: String
    /// The port.
    public var port: Int
    /// The side that waits for the other.
    public var mode = Mode.caller
    /// The time that lost packets may take to be sent again, in milliseconds; nil for the library's.
    public var latency: Int?
    /// The secret that the stream is encrypted with, 10 to 79 bytes; nil for no encryption.
    public var passphrase: String?
    /// The length of the key in bytes, 16, 24 or 32; nil for the library's.
    public var keyLength: Int?
    /// The name that the receiver is told, a secret on some servers.
    public var streamID: String?
}
