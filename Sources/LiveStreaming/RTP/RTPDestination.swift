// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
package import LiveAudio
internal import MPEG4Audio
internal import SystemFiles
internal import SystemLibrary

/// An RTP or SRTP receiver.
///
/// RTP has no acknowledgement: packets are sent even without a receiver.
package final class RTPDestination: ServerDestination {
    package let name: String

    private let address: RTPAddress
    /// The key of an encrypted stream, from the address or generated at random.
    private let key: [UInt8]?

    package init(_ address: RTPAddress) {
        self.address = address
        name = address.connectionURL
        var random = SystemRandomNumberGenerator()
        let made = (0..<SessionDescription.keyLength).map { _ in UInt8.random(in: 0...255, using: &random) }
        key = address.isEncrypted ? address.key ?? made : nil
    }

    /// Opens the sockets and writes the session description.
    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        let (stream, control) = try sockets()
        let description = SessionDescription(
            host: stream.peer, port: address.port, clockRate: format.sampleRate, channelCount: format.channelCount,
            format: try payloadFormat(format.configuration), key: key)
        try write(description)
        let encryption: SRTPSession? = if let key { try SRTPSession(key: key, .sending) } else { nil }
        return RTPConnection(
            description, stream: stream.socket, control: control, encryption: encryption, unitsPerPacket: address.unitsPerPacket,
            packetSize: address.packetSize)
    }

    private func payloadFormat(_ configuration: CodecConfiguration) throws(StreamingError) -> RTPPayloadFormat {
        switch configuration {
        case .aac(let config):
            guard config.frameLength != nil else {
                throw .unsupportedFormat(reason: "RTP cannot carry the stream: unknown access unit duration")
            }
            guard address.format == .latm else { return .headers(config, .highBitRate) }
            var mux = StreamMuxConfig(config)
            // Players can find a backward compatible SBR configuration only with its length.
            mux.audioMuxVersion = config.extensionConfig.signaling == .backwardCompatible ? 1 : 0
            return .latm(mux, isConfigInStream: false)
        case .opus(let config):
            guard config.channelCount <= 2 else {
                throw .unsupportedFormat(
                    reason: "Opus over RTP supports mono and stereo (RFC 7587), not \(config.channelCount) channels")
            }
            return .opus(channelCount: config.channelCount)
        case .alac, .ilbc: throw .unsupportedFormat(reason: "RTP supports only AAC and Opus")
        }
    }

    private func sockets() throws(StreamingError) -> (stream: (socket: UDPSocket, peer: String), control: UDPSocket) {
        try SocketAddress.first(address.host, port: address.port) { peer throws(StreamingError) in
            let stream = try UDPSocket(sendingTo: peer)
            return ((stream, peer.numericHost), try UDPSocket(sendingTo: peer.withPort(address.port + 1)))
        }
    }

    /// Writes the session description.
    ///
    /// If it contains a key, only the owner can read the file.
    private func write(_ description: SessionDescription) throws(StreamingError) {
        let path = address.descriptionPath
        // Replaces an earlier session description, but no other file.
        if let file = try? OpenFile(reading: path), let start = try? file.bytes(in: 0..<4), !SessionDescription.begins(start) {
            throw .cannotWrite(path: path, code: EEXIST)
        }
        do throws(SystemFileError) {
            let output = try FileOutput(path: path, overwrites: true)
            if description.key != nil { fchmod(output.file.descriptor, 0o600) }
            try output.write(Array(description.text.utf8))
            try output.commit()
        } catch {
            throw .cannotWrite(path: path, code: error.systemCode)
        }
    }
}
