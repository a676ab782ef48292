// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioLoudness
import AudioMetadata
import AudioPrimitives
import JSONText
import PCMFiles
import SystemFiles

/// The properties of a file without access units, such as WAV, FLAC or MP3, as text and JSON.
struct PCMProbeText {
    let path: String
    private let properties: PCMFileProperties
    private let byteCount: Int
    private let loudness: LoudnessSummary?
    private let others: OtherTracks?
    /// Whether all samples were read.
    private let isChecked: Bool
    let warnings: [PCMFileWarning]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - reader: The file, at its start.
    ///   - path: Its path; `-` for standard input.
    ///   - readsAll: Whether to read all samples, which finds damage and the real length.
    ///   - byteCount: Returns its size, in bytes. Called after reading.
    init(_ reader: PCMFileReader, path: String, readsAll: Bool, loudness: LoudnessSummary?, byteCount: () -> Int) throws {
        var properties = reader.properties
        if readsAll {
            var buffer = PCMBuffer(sampleRate: properties.sampleRate, channelCount: properties.channelCount, frameCapacity: 16_384)
            repeat { try reader.read(into: &buffer) } while buffer.frameCount > 0
            properties.frameCount = reader.position
        }
        self.path = path
        isChecked = readsAll
        self.properties = properties
        self.loudness = loudness
        self.byteCount = byteCount()
        others = path == "-" ? nil : OtherTracks(of: path)
        warnings = reader.warnings
    }

    private var seconds: Double? { properties.frameCount.map { Double($0) / Double(properties.sampleRate) } }

    /// The bit rate of the file with headers, in bits per second.
    private var bitRate: Double? { seconds.flatMap { $0 > 0 && byteCount > 0 ? Double(byteCount) * 8 / $0 : nil } }

    /// The sample width, such as "24 bits"; `nil` for lossy formats.
    private var width: String? {
        guard !properties.isLossy else { return nil }
        let format = properties.streamDescription
        if let valid = properties.validBitCount { return "\(valid) valid bits in \(format.bitsPerChannel)" }
        return "\(format.bitsPerChannel) bits\(format.formatFlags.contains(.isFloat) ? ", floating point" : "")"
    }

    /// One line per property.
    var lines: [String] {
        var rows = [
            ("File", Format.line(PathName.inputName(path))), ("Container", properties.containerName),
            ("Samples", width ?? "coded with loss"),
            ("Sample rate", "\(properties.sampleRate) Hz"), ("Channels", Format.channels(properties.channelCount)),
            ("Duration", seconds.map { "\(Format.fixed($0, digits: 3)) s, \(properties.frameCount ?? 0) frames" } ?? "unknown"),
        ]
        if let bitRate { rows.append(("Bit rate", "\(Format.bitRate(bitRate)) with headers")) }
        rows += TrackLines.rows(properties.audioTracks, others)
        if let note = AudioTrackOption.note(properties.audioTracks) { rows.append(("Note", note)) }
        if let loudness { rows += LoudnessText.lines(loudness).map { ($0.name, $0.value) } }
        rows += TagLines.rows(properties.tags)
        return TagLines.lines(rows)
    }

    /// Returns the missing parts reported by a warning, as half-open ranges of sample frames.
    private func damage(_ warning: PCMFileWarning) -> [JSONValue] {
        func part(_ frames: Range<Int>, _ reason: String) -> JSONValue {
            .object([
                ("startFrame", .integer(frames.lowerBound)), ("endFrame", .integer(frames.upperBound)),
                ("seconds", .rounded(Double(frames.lowerBound) / Double(properties.sampleRate), digits: 6)), ("reason", .string(reason)),
            ])
        }
        return switch warning {
        case .silenced(_, let loss, _): loss.parts.map { part($0, "lost and silent") }
        case .endsEarly(_, let declared, let found): [part(found..<max(found, declared), "cut off")]
        case .missing, .unfinished, .damaged, .continues, .skipped, .formatChange, .converted, .empty: []
        }
    }

    var members: [JSONMember] {
        let members: [JSONMember] = [
            ("container", .string(properties.containerName)), ("codec", .null),
            ("bitsPerSample", properties.isLossy ? .null : .integer(properties.streamDescription.bitsPerChannel)),
            ("validBitsPerSample", properties.validBitCount.map { .integer($0) } ?? .null),
            ("sampleRate", .integer(properties.sampleRate)), ("channels", .integer(properties.channelCount)),
            ("frames", properties.frameCount.map { .integer($0) } ?? .null),
            ("seconds", seconds.map { .rounded($0, digits: 6) } ?? .null), ("bytes", .integer(byteCount)),
            ("totalBitRate", bitRate.map { .rounded($0, digits: 0) } ?? .null),
            ("primingFrames", properties.gaplessInfo.map { .integer($0.primingFrames) } ?? .null),
            ("remainderFrames", properties.gaplessInfo.map { .integer($0.remainderFrames) } ?? .null),
            ("audioTracks", .array(properties.audioTracks.map(TrackLines.json))),
            ("isChecked", .bool(isChecked)), ("damage", .array(warnings.flatMap(damage))),
            ("tags", .object(TagLines.named(properties.tags).map { ($0.name, .string($0.value)) })),
            ("pictures", .array(properties.tags.pictures.map(TagLines.json))),
            ("chapters", .array(properties.tags.chapters.map(TagLines.json))),
        ]
        return members + TrackLines.members(others) + (loudness.map { [("loudness", LoudnessText.json($0))] } ?? [])
    }
}
