// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
package import LiveAudio

/// An Icecast mount point that receives ADTS.
///
/// Icecast does not acknowledge audio: an access unit counts as delivered when the server's TCP stack has acknowledged it. If the server is
/// killed, up to a receive buffer of audio is lost without being counted. With TLS, encryption overhead counts as payload, so after a
/// failure the last access unit may be sent twice.
package final class IcecastDestination: ServerDestination {
    /// The URL of server and mount point.
    package let name: String

    private let server: IcecastServer

    /// - Parameters:
    ///   - timeout: The time limit per step.
    ///   - authorities: The path of a file with additional trusted certificates, if any.
    package init(_ address: IcecastAddress, timeout: Duration, authorities: String? = nil) {
        name = address.connectionURL
        server = IcecastServer(address: address, timeout: timeout, authorities: authorities)
    }

    /// Authenticates and starts the stream.
    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        let framer: ADTSFramer
        do throws(ContainerError) {
            guard let config = format.audioSpecificConfig else { throw .codecNotStorable(format.configuration.formatID, in: .adts) }
            framer = try ADTSFramer(config)
        } catch {
            throw .unsupportedFormat(reason: "Icecast requires ADTS, which cannot carry the stream: \(error)")
        }
        return try IcecastSource(server, format, framer: framer, abort: abort)
    }
}
