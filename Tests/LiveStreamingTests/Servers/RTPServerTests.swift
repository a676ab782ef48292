// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioMeasures
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import MPEG4Audio
import TestSupport
import Testing

#if os(Linux)
/// RTP over local sockets, end to end and with other programs.
@Suite struct RTPServerTests {
    /// The output of a receiver.
    private struct Received {
        var samples: [[Float]]
        var statistics: RTPStatistics
    }

    /// Receives a stream until its end.
    private func receive(_ source: RTPSource) async throws -> Received {
        try await onThread {
            var samples = [[Float]](repeating: [], count: source.channelCount)
            var buffer = PCMBuffer(sampleRate: source.sampleRate, channelCount: source.channelCount, frameCapacity: 4096)
            while true {
                source.read(into: &buffer)
                guard buffer.frameCount > 0 else { break }
                for channel in 0..<source.channelCount { samples[channel] += buffer.channels[channel] }
            }
            return Received(samples: samples, statistics: source.statistics)
        }
    }

    /// Sends access units in real time.
    private func send(_ audio: CountedAudio, to url: String) async throws -> StreamingStatistics {
        let sink = StreamingSink(try StreamingAddress(url))
        try await audio.send(through: sink)
        return sink.statistics
    }

    /// Writes a description of the stream that `send` sends, for another port.
    private func describe(_ audio: CountedAudio, port: Int, key: [UInt8]? = nil, in folder: TemporaryFolder) throws -> String {
        let format: RTPPayloadFormat =
            if let config = audio.format.audioSpecificConfig { .headers(config, .highBitRate) } else {
                .opus(channelCount: audio.format.channelCount)
            }
        let description = SessionDescription(
            host: "127.0.0.1", port: port, clockRate: audio.format.sampleRate, channelCount: audio.format.channelCount, format: format,
            key: key)
        return try folder.write(Array(description.text.utf8), to: "\(port).sdp")
    }

    @Test(
        "On a bad network time is kept, losses are counted exactly, and the rest is unchanged",
        arguments: [(0.01, 101), (0.05, 105), (0.1, 110)], [AACProfile.lowComplexity, .lowDelay, .enhancedLowDelay, nil])
    func badNetwork(loss: (Double, UInt64), profile: AACProfile?) async throws {
        let folder = try TemporaryFolder()
        let audio =
            if let profile {
                try await CountedAudio.make(seconds: 3, sampleRate: 48_000, channelCount: 2, bitRate: 96_000, profile: profile)
            } else {
                try await CountedAudio.makeOpus(seconds: 3, channelCount: 2, bitRate: 96_000)
            }
        let (input, output) = (try LiveServer.freePort(), try LiveServer.freePort())
        let relay = try RTPRelay(from: input, to: output, .init(loss: loss.0, doubling: loss.0, delay: 45), seed: loss.1)
        // Longer than the relay's delays by the time that a busy machine may delay a thread: 35 ms were once too short.
        let source = try RTPSource(path: describe(audio, port: output, in: folder), latency: .milliseconds(250))
        async let received = receive(source)
        let sent = try await send(audio, to: "rtp://127.0.0.1:\(input)?sdp=\(folder.path("sent.sdp"))")
        let (samples, statistics) = (try await received.samples, try await received.statistics)
        let counts = relay.end()
        #expect(sent.sentUnitCount == audio.accessUnits.count && counts.sent == audio.accessUnits.count)
        // The receiver cannot know about lost packets at the end, but the relay counts them.
        let known = statistics.receivedPacketCount + statistics.lostPacketCount
        let unknown = audio.accessUnits.count - known
        #expect((0...2).contains(unknown) && statistics.lostPacketCount == counts.lost - unknown, "seed \(loss.1) \(counts) \(statistics)")
        #expect(statistics.duplicatePacketCount == counts.doubled && statistics.latePacketCount == 0, "seed \(loss.1) \(counts)")
        #expect(statistics.concealedUnitCount == statistics.lostPacketCount && statistics.damagedUnitCount == 0)
        #expect(samples[0].count == known * audio.format.framesPerUnit && counts.reordered > 0)
        let clean = try await cleanSamples(audio)
        let count = min(clean.count, samples[0].count)
        let noise = NoiseToMaskRatio(
            reference: AudioSignal(sampleRate: 48_000, channels: [Array(clean.prefix(count))]),
            test: AudioSignal(sampleRate: 48_000, channels: [Array(samples[0].prefix(count))]))
        let summary = try #require(noise.maps.first.flatMap(noise.summary))
        print(
            "\(profile.map(String.init(describing:)) ?? "Opus"), seed \(loss.1): \(counts.lost) of \(counts.sent) packets lost, \(counts.reordered) reordered, "
                + "\(counts.doubled) doubled; noise to mask: mean \(summary.mean) dB, audible \(summary.audibleShare)")
        // A lost access unit and its overlap with the next one are audible, with AAC-ELD the overlap with three. Opus recovers more slowly.
        let accessUnits = profile == nil ? 8 : profile == .enhancedLowDelay ? 6 : 4
        #expect(summary.audibleShare <= Double(counts.lost * accessUnits + 2) / Double(known))
    }

    /// Returns the first channel of a loss-free decoding.
    private func cleanSamples(_ audio: CountedAudio) async throws -> [Float] {
        let decoder = try audio.format.configuration.makeDecoder()
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 0)
        var samples: [Float] = []
        for accessUnit in audio.accessUnits {
            _ = accessUnit.payload.withSpan { decoder.decode($0, into: &buffer) }
            samples += buffer.channels[0]
        }
        return samples
    }

    @Test("Encrypted stream arrives with its key; with another key all packets are counted as unauthenticated")
    func encryption() async throws {
        let folder = try TemporaryFolder()
        let audio = try await CountedAudio.makeOpus(seconds: 1, channelCount: 1, bitRate: 32_000)
        let key = (0..<30).map { UInt8($0 * 7 & 0xFF) }
        for isRight in [true, false] {
            let port = try LiveServer.freePort()
            let other = isRight ? key : key.map { $0 ^ 1 }
            let source = try RTPSource(path: describe(audio, port: port, key: other, in: folder), latency: .milliseconds(80))
            async let received = receive(source)
            let text = ServerURL.encoded(Base64.string(key))
            _ = try await send(audio, to: "srtp://127.0.0.1:\(port)?sdp=\(folder.path("sent.sdp"))&key=\(text)")
            guard isRight else {
                // Without a valid packet the stream neither starts nor ends: one packet with the right key does both.
                var description = try SessionDescription(parsing: String(decoding: bytes(ofFile: folder.path("sent.sdp")), as: UTF8.self))
                description.key = other
                try sendEnd(of: description)
                let statistics = try await received.statistics
                #expect(statistics.unauthenticatedPacketCount >= audio.accessUnits.count && statistics.receivedPacketCount == 1)
                continue
            }
            let statistics = try await received.statistics
            #expect(statistics.receivedPacketCount == audio.accessUnits.count && statistics.unauthenticatedPacketCount == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("sent.sdp"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    /// Sends a packet and the end of a stream.
    private func sendEnd(of description: SessionDescription) throws {
        let session = try SRTPSession(key: description.key ?? [], .sending)
        let packet = RTPPacket(
            marker: false, payloadType: description.payloadType, sequenceNumber: 1, timestamp: 1, source: 9, payload: [0xFC, 1, 2])
        let datagrams = [
            session.protect(packet.serialized, isControl: false),
            session.protect(
                RTCPPacket.serialize([
                    .senderReport(source: 9, clockTime: 0, timestamp: 1, packetCount: 1, byteCount: 3), .goodbye(sources: [9]),
                ]), isControl: true),
        ]
        for (index, datagram) in datagrams.enumerated() {
            let address = try SocketAddress.resolve("127.0.0.1", port: description.port + index, for: .datagrams)[0]
            try UDPSocket(sendingTo: address).send(#require(datagram))
        }
    }

    @Test("Access units keep their time without a decoder, and after a conversion of the sample rate to the last frame")
    func inBandConfiguration() async throws {
        for (type, rate, expected) in [(AudioObjectType.aacSSR, 48_000, 10_240...10_240), (.aacLC, 44_100, 11_145...11_147)] {
            let port = try LiveServer.freePort()
            let description = SessionDescription(
                host: "127.0.0.1", port: port, clockRate: 48_000, channelCount: 1, format: .latm(nil, isConfigInStream: true))
            let source = try RTPSource(description.text, latency: .milliseconds(20))
            let mono = ChannelConfiguration(channelCount: 1)
            let config = StreamMuxConfig(AudioSpecificConfig(objectType: type, sampleRate: rate, channelConfiguration: mono))
            var writer = BitWriter()
            AudioMuxElement(streamMuxConfig: config, payloads: [[1, 2, 3]]).write(to: &writer, config: config)
            let sockets = try (0...1).map {
                try UDPSocket(sendingTo: SocketAddress.resolve("127.0.0.1", port: port + $0, for: .datagrams)[0])
            }
            for number in 0..<10 {
                let packet = RTPPacket(
                    marker: true, payloadType: description.payloadType, sequenceNumber: UInt16(number),
                    timestamp: UInt32(number * 1024 * 48_000 / rate), source: 9, payload: writer.bytes)
                try sockets[0].send(packet.serialized)
            }
            try sockets[1].send(RTCPPacket.serialize([.goodbye(sources: [9])]))
            let received = try await receive(source)
            #expect(expected.contains(received.samples[0].count), "\(type): \(received.samples[0].count) frames")
            #expect(received.statistics.damagedUnitCount == 10)
        }
    }

    @Test("FFmpeg receives AAC with headers, several access units per packet, LATM, Opus, and SRTP", arguments: 0..<5)
    func ffmpegReceives(kind: Int) async throws {
        let folder = try TemporaryFolder()
        let port = try LiveServer.freePort()
        let audio =
            kind == 3
            ? try await CountedAudio.makeOpus(seconds: 3, channelCount: 2, bitRate: 64_000)
            : try await CountedAudio.make(seconds: 3, sampleRate: 48_000, channelCount: 2, bitRate: 96_000)
        let options = ["", "&units=3", "&format=latm", "", ""][kind]
        let url = "\(kind == 4 ? "srtp" : "rtp")://127.0.0.1:\(port)?sdp=\(folder.path("sent.sdp"))\(options)"
        let name = kind == 3 ? "out.opus" : "out.aac"
        async let sent = send(audio, to: url)
        #expect(try await waitUntil { FileManager.default.fileExists(atPath: folder.path("sent.sdp")) })
        let receiver = try LiveServer(
            "ffmpeg", in: folder,
            [
                "-v", "error", "-protocol_whitelist", "file,udp,rtp,srtp,crypto", "-i", folder.path("sent.sdp"), "-c", "copy",
                "-flush_packets",
                "1", folder.path(name),
            ], port: 0)
        _ = try await sent
        // FFmpeg starts receiving once it is running, and continues to the end of the stream.
        guard kind != 3 else {
            #expect(try await waitUntil { (try? bytes(ofFile: folder.path(name)).count) ?? 0 > 3000 })
            return
        }
        let expected = audio.accessUnits.map(\.payload)
        let isComplete = try await waitUntil {
            let received = ADTSFrames((try? bytes(ofFile: folder.path(name))) ?? [])?.accessUnits ?? []
            // Access units of a steady tone are repeated, so the first one received can have several positions.
            return received.count > 20 && expected.indices.contains { expected[$0...].starts(with: received) }
        }
        receiver.kill()
        #expect(isComplete)
    }
}
#endif
