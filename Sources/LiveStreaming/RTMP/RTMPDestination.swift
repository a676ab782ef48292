// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioFiles
package import LiveAudio
internal import MPEG4Audio

/// A stream on an RTMP server.
package final class RTMPDestination: StreamingDestination {
    /// The address without the stream's name.
    package let name: String

    private let address: RTMPAddress
    private let timeout: Duration
    private let timeline: RTMPTimeline

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - address: The address of the stream.
    ///   - timeout: The time for each step.
    ///   - origin: The time stamp of the first unit, in milliseconds.
    package init(_ address: RTMPAddress, timeout: Duration, origin: Int64 = 0) {
        self.address = address
        self.timeout = timeout
        timeline = RTMPTimeline(origin: origin)
        name = address.connectionURL
    }

    package func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        let metadata = FLVAudio.metadata(
            sampleRate: format.sampleRate, channelCount: format.channelCount, bitRate: format.bitRate,
            encoder: "Linnet \(LinnetVersion.current)")
        return try RTMPPublisher(
            address, header: (metadata, format.audioSpecificConfig.serialized()), timeline: timeline, timeout: timeout, abort: abort)
    }
}
