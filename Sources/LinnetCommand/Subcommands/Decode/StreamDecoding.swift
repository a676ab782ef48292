// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import JSONText
import LiveStreaming
import PCMFiles
import SystemFiles

/// A decoder of RTP streams to PCM files.
enum StreamDecoding {
    /// Decodes a stream until it ends.
    ///
    /// - Parameters:
    ///   - input: The path of its description.
    ///   - format: The file format, with the stream's sample rate and channel count.
    ///   - overwrites: Whether to replace an existing file.
    ///   - monitor: Receives the progress.
    static func decode(
        _ source: RTPSource, _ input: String, to output: String, _ format: PCMOutputFormat, overwrites: Bool, _ monitor: FileJobMonitor
    ) throws -> FileResult {
        let file = try OutputFile(path: output, overwrites: overwrites, input: input)
        let writer = try PCMFileWriter(to: file, format: format, pendingByteLimit: 65_536)
        var buffer = PCMBuffer(sampleRate: source.sampleRate, channelCount: source.channelCount, frameCapacity: 4096)
        while source.read(into: &buffer) {
            try writer.append(buffer)
            monitor.progress(JobProgress(seconds: Double(source.position) / Double(source.sampleRate), fraction: nil))
        }
        guard source.statistics.accessUnitCount > 0 else { throw AudioFileError(.noAccessUnits, path: input) }
        try writer.finish()
        try file.commit()
        let name = PathName.inputName(input)
        let warnings = RTPInput.warnings(source.statistics, input: name)
        let seconds = Double(source.position) / Double(source.sampleRate)
        return FileResult(
            text: "\(name) -> \(file.path): \(source.position) frames, \(Format.fixed(seconds, digits: 2)) s, \(source.sampleRate) Hz, "
                + "\(Format.channels(source.channelCount)), \(source.statistics.receivedPacketCount) packets, "
                + "\(source.statistics.lostPacketCount) lost, \(source.statistics.concealedUnitCount) access units concealed",
            members: members(source, format), warnings: warnings, exitCode: warnings.isEmpty ? .success : .damagedInput)
    }

    private static func members(_ source: RTPSource, _ format: PCMOutputFormat) -> [JSONMember] {
        let statistics = source.statistics
        return [
            ("sampleRate", .integer(source.sampleRate)), ("channels", .integer(source.channelCount)), ("frames", .integer(source.position)),
            ("seconds", .rounded(Double(source.position) / Double(source.sampleRate), digits: 6)),
            ("accessUnits", .integer(statistics.accessUnitCount)), ("concealedUnits", .integer(statistics.concealedUnitCount)),
            ("damagedUnits", .integer(statistics.damagedUnitCount)), ("receivedPackets", .integer(statistics.receivedPacketCount)),
            ("lostPackets", .integer(statistics.lostPacketCount)), ("duplicatePackets", .integer(statistics.duplicatePacketCount)),
            ("latePackets", .integer(statistics.latePacketCount)), ("malformedPackets", .integer(statistics.malformedPacketCount)),
            ("unauthenticatedPackets", .integer(statistics.unauthenticatedPacketCount)), ("restarts", .integer(statistics.restartCount)),
        ]
    }
}
