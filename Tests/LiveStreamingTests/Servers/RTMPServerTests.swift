// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveAudio
import LiveStreaming
import MPEG4Audio
import TestSupport
import Testing

@Suite(.serialized) struct RTMPServerTests {
    private let stream: SampleStream

    init() throws { stream = try SampleStream("tone") }

    /// Limits short enough for tests.
    static func limits(step: Duration = .seconds(8)) -> StreamingLimits {
        var limits = StreamingLimits()
        limits.step = step
        limits.closing = .seconds(10)
        limits.shortestRetry = .milliseconds(50)
        limits.longestRetry = .milliseconds(200)
        return limits
    }

    /// Publishes access units and ends the stream.
    private func publish(_ count: Int, to destination: RTMPDestination) throws -> StreamingSink {
        let sink = StreamingSink(destination, limits: Self.limits())
        sink.begin(stream.format)
        for number in 0..<count { try sink.append(stream.accessUnit(number)) }
        try sink.finish(nil)
        return sink
    }

    /// Expects that a recording has the first `count` access units exactly, with their timestamps, which nginx counts from the first one.
    private func expect(_ server: RTMPServer, hasUnits count: Int) throws {
        let recording = try #require(try server.recordings.first)
        #expect(try server.recordings.count == 1)
        #expect(recording.first?.isUnit == false)
        #expect(recording.first?.payload == stream.format.audioSpecificConfig?.serialized())
        let accessUnits = recording.filter(\.isUnit)
        #expect(accessUnits.map(\.payload) == (0..<count).map(stream.payload))
        #expect(accessUnits.map(\.timestamp) == (0..<count).map { UInt32(stream.timestamp($0)) })
    }

    @Test("Server recording has the exact access units, and FFmpeg decodes it without messages")
    func recorded() throws {
        let server = try RTMPServer()
        let count = 200
        let sink = try publish(count, to: RTMPDestination(server.address(), timeout: .seconds(8)))
        #expect(sink.statistics.sentUnitCount == count && sink.statistics.lostUnitCount == 0)
        try expect(server, hasUnits: count)
        let name = try #require(try server.folder.contents.first { $0.hasSuffix(".flv") })
        let folder = server.folder.url
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let decoded = try ProgramRun(ffmpeg, ["-v", "warning", "-i", name, "-f", "s16le", "decoded"], folder: folder)
        #expect(decoded.exitCode == 0 && decoded.errorText == "")
        #expect(try bytes(ofFile: server.folder.path("decoded")).count == count * 1024 * 2 * stream.format.channelCount)
        let copied = try ProgramRun(ffmpeg, ["-v", "warning", "-i", name, "-c", "copy", "-f", "adts", "copied"], folder: folder)
        #expect(copied.exitCode == 0 && copied.errorText == "")
        let frames = try #require(ADTSFrames(try bytes(ofFile: server.folder.path("copied"))))
        #expect(frames.accessUnits == (0..<count).map(stream.payload))
        #expect(frames.frequencyIndex == 3 && frames.channelConfiguration == stream.format.channelCount)
    }

    @Test("Unpublishes before disconnecting")
    func goodbye() async throws {
        let server = try RTMPServer()
        _ = try publish(20, to: RTMPDestination(server.address(), timeout: .seconds(8)))
        #expect(await waits { server.log.contains("deleteStream") })
    }

    @Test("Stream name in use is rejected with the server's text")
    func refusals() async throws {
        let server = try RTMPServer(application: "drop_idle_publisher 100s;")
        let first = StreamingSink(RTMPDestination(try server.address("secretkey"), timeout: .seconds(8)), limits: Self.limits())
        first.begin(stream.format)
        #expect(await waits { first.status == .streaming })
        let second = StreamingSink(RTMPDestination(try server.address("secretkey"), timeout: .seconds(8)), limits: Self.limits())
        second.begin(stream.format)
        #expect(await waits { if case .failed = second.status { true } else { false } })
        #expect(
            second.status
                == .failed(.rejected(step: "publish", code: "NetStream.Publish.BadName", description: "Already publishing")))
        try first.finish(nil)
    }

    @Test("Forbidden stream is rejected, also by servers that only close the connection")
    func denied() async throws {
        // The first rule accepts the stream and then closes the connection. The second closes it without a response.
        for application in ["deny publish all;", "on_publish http://127.0.0.1:HTTP/;"] {
            let server = try RTMPServer(application: application)
            let sink = StreamingSink(RTMPDestination(try server.address("secretkey"), timeout: .seconds(8)), limits: Self.limits())
            sink.begin(stream.format)
            #expect(await waits { if case .failed = sink.status { true } else { false } })
            guard case .failed(let error) = sink.status, case .rejected("publish", "", let description) = error else {
                Issue.record("\(sink.status)")
                continue
            }
            #expect(description.contains("closed the connection at once"))
            #expect(throws: error) { try sink.finish(nil) }
        }
    }

    @Test("Closed port and unknown host throw specific errors")
    func unreachable() throws {
        let port = try LiveServer.freePort()
        let abort = ConnectionAbort()
        let closed = RTMPDestination(try #require(RTMPAddress("rtmp://127.0.0.1:\(port)/live/key")), timeout: .seconds(8))
        #expect(throws: StreamingError.connectionFailed(.connect, code: ECONNREFUSED)) { try closed.connect(stream.format, abort: abort) }
        let unknown = RTMPDestination(try #require(RTMPAddress("rtmp://host.invalid/live/key")), timeout: .seconds(8))
        let error = #expect(throws: StreamingError.self) { try unknown.connect(stream.format, abort: abort) }
        // Without a network, the resolver does not know whether the host exists.
        #expect(error?.isPermanent == true || error == .connectionFailed(.connect, code: ENETUNREACH))
    }

    @Test("Timestamps wrap around at 2^32 ms")
    func wrap() throws {
        let server = try RTMPServer()
        let origin = Int64(1) << 32 - 1000
        _ = try publish(100, to: RTMPDestination(server.address(), timeout: .seconds(8), origin: origin))
        try expect(server, hasUnits: 100)
    }

    @Test("Timestamps continue beyond 2^24 ms with extended timestamps")
    func extendedTimes() throws {
        let server = try RTMPServer()
        let origin = Int64(1) << 24 - 1000
        _ = try publish(100, to: RTMPDestination(server.address(), timeout: .seconds(8), origin: origin))
        try expect(server, hasUnits: 100)
    }
}
