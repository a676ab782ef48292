// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers
package import LiveAudio

/// A mount point of an Icecast server, which gets ADTS.
///
/// The media type is audio/mpeg: libshout 2.4.6 has no other one for AAC. Players find ADTS by its headers.
///
/// The server confirms nothing: a unit counts as sent when the server's system has received it. What that system holds when the server is
/// killed, at most the size of its receive buffer, is lost without being counted. Over TLS the bytes of the encryption count as bytes of
/// units, so that after a failure the last unit may be sent twice.
package final class IcecastDestination: StreamingDestination {
    /// The server and the mount point.
    package let name: String

    private let address: IcecastAddress
    private let timeout: Duration
    private let certificateFile: String?

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - address: The mount point.
    ///   - timeout: The time for each step.
    ///   - certificateFile: A file with the certificates that are trusted; nil for those of the system, or of the variable SSL_CERT_FILE.
    package init(_ address: IcecastAddress, timeout: Duration, certificateFile: String? = nil) {
        name = address.connectionURL
        self.address = address
        self.timeout = timeout
        self.certificateFile = certificateFile
    }

    /// Logs in, and starts the stream.
    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        #if os(Linux)
        let framer: ADTSFramer
        do throws(ContainerError) {
            guard let config = format.audioSpecificConfig else { throw .codecNotStorable(format.configuration.formatID, in: .adts) }
            framer = try ADTSFramer(config)
        } catch {
            throw .unsupportedFormat(reason: "Icecast needs ADTS, which can't carry the stream: \(error)")
        }
        // libshout says of a host without an address only that it can't connect.
        _ = try SocketAddress.resolve(address.host, port: address.port, for: .stream)
        let configuration = ShoutHandle.Configuration(address: address, certificateFile: certificateFile)
        return try ShoutConnection(configuration, format: format, framer: framer, timeout: timeout, abort: abort)
        #else
        throw .libraryMissing(library: "libshout", package: "libshout3, which is for Linux only")
        #endif
    }
}
