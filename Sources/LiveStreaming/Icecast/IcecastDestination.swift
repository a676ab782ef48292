// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
package import LiveAudio

/// An Icecast mount point that receives ADTS or Ogg Opus.
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

    package func check(isOpus: Bool) throws(StreamingError) { try server.address.checkMount(isOpus: isOpus) }

    /// Checks the mount point's extension, authenticates and starts the stream.
    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        let body = try Self.body(for: format)
        try check(isOpus: body is OggOpusBody)
        return try IcecastSource(server, format, body: body, abort: abort)
    }

    /// Returns the container: ADTS for AAC, Ogg for Opus.
    ///
    /// - Throws: ``StreamingError/unsupportedFormat(reason:)`` for other codecs, and for AAC that ADTS cannot signal.
    private static func body(for format: RecordingFormat) throws(StreamingError) -> any IcecastBody {
        do throws(ContainerError) {
            switch format.configuration {
            case .aac(let config): return ADTSBody(framer: try ADTSFramer(config))
            case .opus(let config): return OggOpusBody(config, primingFrames: format.primingFrames)
            default: throw .codecNotStorable(format.configuration.formatID, in: .adts)
            }
        } catch {
            throw .unsupportedFormat(reason: "Icecast requires ADTS or Ogg Opus, which cannot carry the stream: \(error)")
        }
    }
}
