// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
package import LiveAudio
internal import MPEG4Audio
internal import PCMFiles

package final class RTMPDestination: ServerDestination {
    /// The address without the stream name.
    package let name: String

    private let address: RTMPAddress
    private let timeout: Duration
    private let authorities: String?
    private let timeline: RTMPTimeline

    /// - Parameters:
    ///   - timeout: The time limit per step.
    ///   - origin: The first access unit's timestamp, in milliseconds.
    ///   - authorities: The path of a file with additional trusted certificates, if any.
    package init(_ address: RTMPAddress, timeout: Duration, origin: Int64 = 0, authorities: String? = nil) {
        self.authorities = authorities
        self.address = address
        self.timeout = timeout
        timeline = RTMPTimeline(origin: origin)
        name = address.connectionURL
    }

    /// Connects and waits until the server accepts audio.
    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        let codec: FLVAudio.Codec
        switch format.configuration {
        case .aac(let config) where !format.configuration.hasAccessPoints: codec = .aac(config.serialized())
        case .opus(let config): codec = .opus(config.opusHead)
        default: throw .unsupportedFormat(reason: "RTMP does not support \(format.configuration.formatID.codecName); use HLS or SRT")
        }
        let metadata = FLVAudio.metadata(
            codec, sampleRate: format.sampleRate, channelCount: format.channelCount, bitRate: format.bitRate,
            encoder: LinnetVersion.encoderTag)
        let connection = try TCPConnection.open(
            address.host, port: address.port, isEncrypted: address.isEncrypted, authorities: authorities, timeout: timeout, abort: abort)
        return try RTMPPublisher(
            connection, session: RTMPPublishingSession(address), header: (metadata, codec), timeline: timeline, timeout: timeout)
    }
}
