// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles

/// Serializes Opus access units as the body of an Icecast stream, in short pages.
///
/// Listeners see a title in the headers of an Ogg stream. A new title therefore ends the logical stream and starts another one (RFC 3533, 4).
struct OggOpusBody: IcecastBody {
    /// The duration of a page, in sample frames at 48 kHz: 0.2 s.
    private static let pageDuration = 9600
    /// The minimum duration of the access units that a later logical stream repeats, in sample frames at 48 kHz.
    ///
    /// A decoder converges within 80 ms (RFC 7845, 4.2) and skips their output.
    private static let prerollDuration = 3840

    private let configuration: OpusConfiguration
    private let primingFrames: Int
    private var writer: OggOpusWriter<MemorySink>?
    private var title: String?
    private var hasNewTitle = false
    private var serialNumber = UInt32.random(in: 0...UInt32.max)
    /// The latest access units of this connection, for the start of the next logical stream.
    private var latest: [AccessUnit] = []
    private(set) var heldUnitCount = 0
    /// The duration of the held access units, in sample frames at 48 kHz.
    private var heldDuration = 0

    /// - Parameter primingFrames: The pre-skip of a stream that starts with the first access unit of a recording.
    init(_ configuration: OpusConfiguration, primingFrames: Int) {
        self.configuration = configuration
        self.primingFrames = primingFrames
    }

    var contentType: String { "audio/ogg" }

    mutating func setTitle(_ title: String) -> Bool {
        hasNewTitle = hasNewTitle || self.title != title
        self.title = title
        return true
    }

    mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) -> [UInt8] {
        var bytes: [UInt8] = []
        var next = writer ?? startedWriter(at: accessUnit)
        if hasNewTitle, writer != nil {
            try next.finish(nil)
            bytes = next.sink.removeBytes()
            next = try chainedWriter()
        }
        try next.append(accessUnit)
        bytes += next.sink.removeBytes()
        if !bytes.isEmpty { (heldUnitCount, heldDuration) = (0, 0) }
        heldUnitCount += 1
        heldDuration += accessUnit.duration
        writer = next
        hasNewTitle = false
        retain(accessUnit)
        if heldDuration >= Self.pageDuration { bytes += flush() }
        return bytes
    }

    mutating func flush() -> [UInt8] { pages { (writer) throws(ContainerError) in try writer.flush() } }

    mutating func finish() -> [UInt8] { pages { (writer) throws(ContainerError) in try writer.finish(nil) } }

    /// Returns the pages that a step of the writer completes.
    private mutating func pages(_ step: (inout OggOpusWriter<MemorySink>) throws(ContainerError) -> Void) -> [UInt8] {
        (heldUnitCount, heldDuration) = (0, 0)
        guard var next = writer, (try? step(&next)) != nil else { return [] }
        defer { writer = next }
        return next.sink.removeBytes()
    }

    /// Returns the writer of the first logical stream.
    ///
    /// After a lost connection the stream starts within the recording, without priming.
    private func startedWriter(at accessUnit: AccessUnit) -> OggOpusWriter<MemorySink> {
        makeWriter(preSkip: accessUnit.presentationTime.value <= 0 ? primingFrames : 0)
    }

    /// Returns the writer of another logical stream, which repeats the latest access units and skips their output.
    private mutating func chainedWriter() throws(ContainerError) -> OggOpusWriter<MemorySink> {
        serialNumber &+= 1
        var next = makeWriter(preSkip: latest.reduce(0) { $0 + $1.duration })
        for accessUnit in latest { try next.append(accessUnit) }
        return next
    }

    private func makeWriter(preSkip: Int) -> OggOpusWriter<MemorySink> {
        var options = OggOpusWriterOptions()
        options.tags.title = title
        options.tags.encoder = LinnetVersion.encoderTag
        options.preSkip = preSkip
        options.serialNumber = serialNumber
        return OggOpusWriter(to: MemorySink(), configuration, options: options)
    }

    /// Keeps an access unit and the earlier ones that a decoder needs to converge.
    private mutating func retain(_ accessUnit: AccessUnit) {
        latest.append(accessUnit)
        while latest.dropFirst().reduce(0, { $0 + $1.duration }) >= Self.prerollDuration { latest.removeFirst() }
    }
}
