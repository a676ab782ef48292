// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)

internal import AudioFiles
internal import CStreamingLibraries
internal import SystemLibrary
internal import LiveAudio

/// An object of libshout for one mount point; used by one thread.
final class ShoutHandle {
    /// The addresses and settings of a mount point.
    struct Configuration {
        /// The mount point.
        let address: IcecastAddress
        /// A file with the certificates that are trusted; nil for those of the system, or of the variable SSL_CERT_FILE.
        let certificateFile: String?
    }

    /// The state of a connection.
    enum State {
        /// It is being opened.
        case connecting
        /// The server has accepted the stream.
        case connected
    }

    private let functions: LinnetShoutFunctions
    private let shout: OpaquePointer
    private let address: IcecastAddress
    private var isOpen = false

    /// Creates an object.
    ///
    /// - Parameters:
    ///   - configuration: The mount point.
    ///   - format: The format of the stream; nil where only titles are sent.
    init(_ configuration: Configuration, format: RecordingFormat? = nil) throws(StreamingError) {
        guard let functions = linnet_shout_functions()?.pointee, let shout = functions.shout_new() else {
            throw .libraryMissing(library: "libshout", package: "libshout3")
        }
        self.functions = functions
        self.shout = shout
        address = configuration.address
        let mode = address.isEncrypted ? LINNET_SHOUT_TLS_FROM_START : LINNET_SHOUT_TLS_DISABLED
        // libshout encodes the mount point itself.
        let mount = ServerURL.decoded(address.mount)
        var results = [
            functions.shout_set_host(shout, address.host), functions.shout_set_port(shout, UInt16(clamping: address.port)),
            functions.shout_set_user(shout, address.user), functions.shout_set_password(shout, address.password),
            functions.shout_set_mount(shout, mount), functions.shout_set_agent(shout, "Linnet/\(LinnetVersion.current)"),
            functions.shout_set_protocol(shout, UInt32(LINNET_SHOUT_PROTOCOL_HTTP)), functions.shout_set_tls(shout, Int32(mode)),
            functions.shout_set_content_format(shout, UInt32(LINNET_SHOUT_FORMAT_MPEG), UInt32(LINNET_SHOUT_USAGE_AUDIO), nil),
        ]
        if let file = configuration.certificateFile { results.append(functions.shout_set_ca_file(shout, file)) }
        if let format { results += describe(format) }
        guard results.allSatisfy({ $0 == 0 }) else {
            throw .invalidAddress(address.connectionURL, reason: "libshout refuses a part of it")
        }
    }

    deinit {
        if isOpen { close() }
        functions.shout_free(shout)
    }

    /// Sets the description of a stream, and that no function waits for the network.
    private func describe(_ format: RecordingFormat) -> [Int32] {
        let meta = [
            ("name", address.stationName), ("genre", address.genre), ("description", address.stationDescription), ("url", address.siteURL),
        ]
        let audio = [
            ("samplerate", String(format.sampleRate)), ("channels", String(format.channelCount)),
            ("bitrate", format.bitRate.map { String($0 / 1000) }),
        ]
        return meta.compactMap { name, value in value.map { functions.shout_set_meta(shout, name, $0) } }
            + audio.compactMap { name, value in value.map { functions.shout_set_audio_info(shout, name, $0) } }
            + [functions.shout_set_public(shout, address.isPublic ? 1 : 0), functions.shout_set_nonblocking(shout, 1)]
    }

    // MARK: The stream

    /// Starts to connect.
    func open() throws(StreamingError) -> State {
        guard OpenSockets.nextCanBeSelected else { throw .network(.failed(.connect, code: EMFILE)) }
        errno = 0
        let result = BrokenPipeSignal.withoutSignal { functions.shout_open(shout) }
        isOpen = true
        if result == 0 { return try state() }
        return try state(result)
    }

    /// Continues to connect; returns the state.
    func state() throws(StreamingError) -> State {
        errno = 0
        return try state(BrokenPipeSignal.withoutSignal { functions.shout_get_connected(shout) })
    }

    /// Returns the state that a result means.
    private func state(_ result: Int32) throws(StreamingError) -> State {
        switch Int(result) {
        case LINNET_SHOUT_CONNECTED: return .connected
        case LINNET_SHOUT_BUSY, LINNET_SHOUT_RETRY: return .connecting
        default: throw failure(result, code: errno)
        }
    }

    /// Returns the error for a result of connecting.
    ///
    /// libshout does not tell what a server answers: a wrong password and a mount point in use are the same to it.
    private func failure(_ result: Int32, code: Int32) -> StreamingError {
        let words = functions.shout_get_error(shout).map { String(cString: $0) } ?? "nothing"
        switch Int(result) {
        case LINNET_SHOUT_LOGIN_FAILED:
            return .rejected(
                step: "the stream", code: "",
                description: "login failed: the password is wrong, another source has the mount point, or the server is full")
        case LINNET_SHOUT_BAD_CERTIFICATE:
            return .untrustedCertificate(
                host: address.host, reason: "it has expired, is for another name, or comes from an authority that is not trusted")
        case LINNET_SHOUT_NO_TLS: return .encryptionFailed(reason: "the server does not offer TLS at this port")
        case LINNET_SHOUT_NOT_CONNECTED, LINNET_SHOUT_SOCKET_FAILED:
            // libshout keeps no code of the system; the last one is of its socket if it is one of a connection.
            let codes = [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ETIMEDOUT]
            return .network(codes.contains(code) ? .failed(.connect, code: code) : .closedByPeer)
        default: return .protocolViolation("libshout says: \(words)")
        }
    }

    /// Sends bytes, or keeps those for which the system has no room; without bytes, sends those that it kept.
    ///
    /// - Returns: Whether the connection is open.
    func send(_ bytes: [UInt8]) -> Bool {
        let count = bytes.withUnsafeBufferPointer { buffer in
            BrokenPipeSignal.withoutSignal { functions.shout_send_raw(shout, buffer.baseAddress, buffer.count) }
        }
        return count == bytes.count
    }

    /// The number of bytes that libshout keeps.
    var keptByteCount: Int { max(0, functions.shout_queuelen(shout)) }

    /// Closes the connection.
    func close() {
        isOpen = false
        _ = BrokenPipeSignal.withoutSignal { functions.shout_close(shout) }
    }

    // MARK: Titles

    /// Sends a title over a connection of its own, however long that takes; returns whether the server has taken it.
    func sendTitle(_ title: String) -> Bool {
        guard OpenSockets.nextCanBeSelected, let metadata = functions.shout_metadata_new() else { return false }
        defer { functions.shout_metadata_free(metadata) }
        guard functions.shout_metadata_add(metadata, "song", title) == 0 else { return false }
        return BrokenPipeSignal.withoutSignal { functions.shout_set_metadata_utf8(shout, metadata) } == 0
    }
}

#endif
