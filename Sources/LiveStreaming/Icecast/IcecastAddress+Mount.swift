// SPDX-License-Identifier: Apache-2.0

extension IcecastAddress {
    /// The extensions of the streams that are sent, the usual one first.
    private static let aacExtensions = ["aac", "adts", "aacp"]
    private static let oggExtensions = ["opus", "ogg", "oga"]

    /// The extensions of other media and of playlists, from which a player would expect something else.
    private static let otherExtensions: Set<String> = [
        "aif", "aiff", "caf", "flac", "latm", "loas", "m3u", "m3u8", "m4a", "m4b", "m4v", "mka", "mkv", "mov", "mp1", "mp2", "mp3", "mp4",
        "mpga", "ogv", "ogx", "pls", "spx", "ts", "wav", "weba", "webm", "wma", "xspf",
    ]

    /// Checks the mount point's extension against the codec of a stream.
    ///
    /// A mount point without an extension is valid, and so is one that ends like no media file, such as `/fm101.5`.
    ///
    /// - Parameter isOpus: Whether the stream is Ogg Opus instead of AAC.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``.
    package func checkMount(isOpus: Bool) throws(StreamingError) {
        let name = ServerURL.decoded(mount).split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return }
        let found = name[dot...].dropFirst().lowercased()
        let (expected, others) = isOpus ? (Self.oggExtensions, Self.aacExtensions) : (Self.aacExtensions, Self.oggExtensions)
        guard others.contains(found) || Self.otherExtensions.contains(found) else { return }
        var reason = "the mount point ends in .\(found), but the stream is \(isOpus ? "Opus" : "AAC"); use .\(expected[0]) or no extension"
        if others.contains(found) { reason += ", or encode \(isOpus ? "AAC" : "Opus")" }
        throw .invalidAddress(connectionURL, reason: reason)
    }
}
