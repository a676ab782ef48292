// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
package import LiveAudio

/// A mount point of an Icecast server, which gets ADTS.
///
/// The server confirms nothing: a unit counts as sent when the server's system has received it. What that system holds when the server is
/// killed, at most the size of its receive buffer, is lost without being counted. Over TLS the bytes of the encryption count as bytes of
/// units, so that after a failure the last unit may be sent twice.
package final class IcecastDestination: ServerDestination {
    /// The server and the mount point.
    package let name: String

    private let server: IcecastServer

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - address: The mount point.
    ///   - timeout: The time for each step.
    ///   - authorities: The path of a file with certificates to trust beside the system's; nil for none.
    package init(_ address: IcecastAddress, timeout: Duration, authorities: String? = nil) {
        name = address.connectionURL
        server = IcecastServer(address: address, timeout: timeout, authorities: authorities)
    }

    /// Logs in, and starts the stream.
    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        let framer: ADTSFramer
        do throws(ContainerError) {
            guard let config = format.audioSpecificConfig else { throw .codecNotStorable(format.configuration.formatID, in: .adts) }
            framer = try ADTSFramer(config)
        } catch {
            throw .unsupportedFormat(reason: "Icecast needs ADTS, which can't carry the stream: \(error)")
        }
        return try IcecastSource(server, format, framer: framer, abort: abort)
    }
}
