// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import MPEG4Audio
import Synchronization

/// An Icecast server that records what each source sends.
private final class Icecast: Sendable {
    let streams = Mutex<[[UInt8]]>([])
    let server: Mutex<Server?> = Mutex(nil)

    /// - Parameter limit: The number of bytes after which the first connection is reset.
    init(_ certificate: Certificate, limit: Int = .max) throws {
        let server = try Server(certificate) { [self] peer in
            var head: [UInt8] = []
            while head.suffix(4) != [13, 10, 13, 10] {
                guard let bytes = peer.read(), !bytes.isEmpty else { return }
                head += bytes
            }
            peer.write(Array("HTTP/1.0 200 OK\r\n\r\n".utf8))
            let index = streams.withLock { streams in
                streams.append([])
                return streams.count - 1
            }
            while let bytes = peer.read(), !bytes.isEmpty {
                let count = streams.withLock { streams in
                    streams[index] += bytes
                    return streams[index].count
                }
                if index == 0, count > limit { return peer.reset() }
            }
            peer.end()
        }
        self.server.withLock { $0 = server }
    }

    func sink(authorities: String) throws -> StreamingSink {
        var limits = StreamingLimits()
        limits.shortestRetry = .milliseconds(100)
        let port = server.withLock { $0?.port } ?? 0
        let address = try IcecastAddress("icecasts://source:pw@localhost:\(port)/talk.aac")
        return StreamingSink(IcecastDestination(address, timeout: .seconds(5), authorities: authorities), limits: limits)
    }

    /// Returns the bytes received over a connection.
    func stream(_ index: Int) -> [UInt8] { streams.withLock { $0.indices.contains(index) ? $0[index] : [] } }
}

/// Returns the ADTS stream of access units.
private func adts(_ units: [AccessUnit]) throws -> [UInt8] {
    guard let configuration = format.audioSpecificConfig else { return [] }
    var writer = try ADTSWriter(to: MemorySink(), configuration)
    for unit in units { try writer.append(unit) }
    return writer.sink.bytes
}

private let format = RecordingFormat(
    sampleRate: 48_000, channelCount: 2,
    configuration: .aac(AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))),
    framesPerUnit: 1024, primingFrames: 2112, bitRate: 128_000)

/// Access units with different bytes.
private let units = (0..<200).map { number in
    AccessUnit(
        payload: (0..<300).map { UInt8(truncatingIfNeeded: $0 &* (number + 1)) },
        presentationTime: MediaTime(value: Int64(number) * 1024, timescale: 48_000), duration: 1024)
}

let destinationScenarios: [Scenario] = [
    Scenario(name: "network-icecasts", expectation: "a stream arrives unchanged, and all access units count as sent") { report in
        let certificate = try Certificate("DNS:localhost")
        let icecast = try Icecast(certificate)
        let sink = try icecast.sink(authorities: certificate.authorityPath)
        sink.begin(format)
        for unit in units { try sink.append(unit) }
        try sink.finish(nil)
        let statistics = sink.statistics
        report.check(statistics.sentUnitCount == 200 && statistics.lostUnitCount == 0, "\(statistics)")
        let stream = try adts(units)
        report.check(waits { icecast.stream(0) == stream }, "\(icecast.stream(0).count) bytes of \(stream.count) arrived")
    },
    Scenario(name: "network-icecasts-reset", expectation: "after a reset the stream continues; every access unit is counted") { report in
        let certificate = try Certificate("DNS:localhost")
        let icecast = try Icecast(certificate, limit: 20_000)
        let sink = try icecast.sink(authorities: certificate.authorityPath)
        sink.begin(format)
        for unit in units {
            try sink.append(unit)
            usleep(5000)
        }
        try sink.finish(nil)
        let statistics = sink.statistics
        report.check(statistics.connectionCount == 2, "\(statistics.connectionCount) connections")
        report.check(statistics.sentUnitCount + statistics.lostUnitCount == 200, "\(statistics)")
        let last = try adts(units.suffix(1))
        report.check(waits { icecast.stream(1).suffix(last.count) == last[...] }, "the last unit has not arrived")
    },
]
