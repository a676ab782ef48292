// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The parts of the address of a stream on an Icecast server: `icecast://user:password@host:port/mount?name=TEXT&genre=TEXT`.
public struct IcecastAddress: Hashable, Sendable {
    /// Whether the connection is encrypted (`icecasts`).
    public var isEncrypted: Bool
    /// The name or address of the server.
    public var host: String
    /// The port, 8000 by default.
    public var port: Int
    /// The user, `source` by default.
    public var user: String
    /// The password.
    public var password: String
    /// The mount point, with its slash.
    public var mount: String
    /// The name of the station.
    public var stationName: String?
    /// The genre of the station.
    public var genre: String?
    /// The description of the station.
    public var stationDescription: String?
    /// The address of the station's site.
    public var siteURL: String?
    /// Whether the server may list the station in public directories.
    public var isPublic = false
}
