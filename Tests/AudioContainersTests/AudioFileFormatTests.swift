// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import Testing

@Suite struct ContainerFormatTests {
    /// The formats that this module writes.
    static let writable = AudioFileFormat.allCases.filter { $0.isWritable && $0 != .dab }

    /// Returns a configuration that the format supports: AAC, except for Ogg and iLBC files.
    static func configuration(_ format: AudioFileFormat) throws -> CodecConfiguration {
        if format == .ilbc { return .ilbc(.milliseconds20) }
        guard format == .oggOpus else { return .aac(MP4Tests.config) }
        return .opus(OpusConfiguration(mapping: try OpusChannelMapping(channelCount: 2), preSkip: 312))
    }

    /// Returns five access units that the format supports.
    ///
    /// Those of Ogg start with a TOC byte for 20 ms.
    static func accessUnits(_ format: AudioFileFormat) -> [AccessUnit] {
        if format == .ilbc { return ILBCTests.accessUnits(5, .milliseconds20) }
        return MP4Tests.accessUnits(5).map { unit in
            var unit = unit
            if format == .oggOpus { unit.payload[0] = 19 << 3 }
            return unit
        }
    }

    @Test("Extensions map to formats")
    func extensions() {
        #expect(AudioFileFormat(writableFileExtension: "AAC") == .adts)
        #expect(AudioFileFormat(writableFileExtension: "loas") == .loas)
        #expect(AudioFileFormat(writableFileExtension: "m4a") == .m4a)
        #expect(AudioFileFormat(writableFileExtension: "caf") == .caf)
        #expect(AudioFileFormat(writableFileExtension: "lbc") == .ilbc)
        #expect(AudioFileFormat(writableFileExtension: "wav") == nil)
        for format in Self.writable {
            let named = AudioFileFormat(writableFileExtension: format.fileExtension)
            #expect(named == (format == .fragmentedM4A ? .m4a : format))
        }
    }

    @Test("Files of every writer are identified as its format", arguments: writable)
    func writers(format: AudioFileFormat) throws {
        var options = ContainerWriterOptions()
        options.expectedUnitCount = 5
        var writer = try format.makeWriter(to: MemorySink(), Self.configuration(format), options: options)
        for unit in Self.accessUnits(format) { try writer.append(unit) }
        try writer.finish(GaplessInfo(primingFrames: 0, validFrames: 5120, remainderFrames: 0))
        #expect(ContainerProbe.format(of: writer.sink.bytes, isWhole: true) == (format == .fragmentedM4A ? .m4a : format))
    }

    @Test("Readers and parsers find the access units of writers", arguments: writable)
    func readers(format: AudioFileFormat) throws {
        let accessUnits = Self.accessUnits(format)
        var writer = try format.makeWriter(to: MemorySink(), Self.configuration(format))
        for unit in accessUnits { try writer.append(unit) }
        try writer.finish(GaplessInfo(primingFrames: 0, validFrames: 5120, remainderFrames: 0))
        let payloads = accessUnits.map(\.payload)
        #expect(format.isReadable)
        var reader = try format.makeReader(of: MemorySource(writer.sink.bytes))
        var found: [[UInt8]] = []
        while let event = try reader.nextEvent() { if case .accessUnit(let unit) = event { found.append(unit.accessUnit.payload) } }
        #expect(found == payloads)
        guard var parser = format.makeParser() else {
            #expect(format.isMP4 || format == .caf)
            return
        }
        found = []
        parser.append(writer.sink.bytes)
        parser.finish()
        while let event = parser.nextEvent() { if case .accessUnit(let unit) = event { found.append(unit.accessUnit.payload) } }
        #expect(found == payloads)
    }

    @Test("PCM, unsupported, ADIF and DAB+ formats have no reader")
    func readerRefusals() {
        let refused = AudioFileFormat.allCases.filter { !$0.isReadable }
        #expect(refused.contains(.wav) && refused.contains(.mpegAudio) && !refused.contains(.matroska) && !refused.contains(.adts))
        for format in refused + [.adif, .dab] {
            #expect(throws: ContainerError.formatNotReadable(format)) { try format.makeReader(of: MemorySource([1, 2, 3])) }
            #expect(format.makeParser() == nil)
        }
    }

    @Test("Other formats have no writer", arguments: AudioFileFormat.allCases.filter { !$0.isWritable })
    func refusals(format: AudioFileFormat) {
        #expect(throws: ContainerError.formatNotWritable(format)) { try format.makeWriter(to: MemorySink(), MP4Tests.config) }
        #expect(format.streamable == nil)
    }

    @Test("Impossible configurations, gapless information and durations do not trap", arguments: [AudioFileFormat.loas, .m4a, .caf])
    func impossible(format: AudioFileFormat) throws {
        var config = MP4Tests.config
        for rate in [0, -1, Int.max] {
            config.sampleRate = rate
            #expect(throws: ContainerError.self) { try format.makeWriter(to: MemorySink(), config) }
        }
        config = MP4Tests.config
        config.objectType = AudioObjectType(rawValue: -1)
        #expect(throws: ContainerError.self) { try format.makeWriter(to: MemorySink(), config) }
        for value in [-1, Int.min, .max] {
            var writer = try format.makeWriter(to: MemorySink(), MP4Tests.config)
            try writer.append(AccessUnit(payload: [1], presentationTime: MediaTime(value: 0, timescale: 48_000), duration: value))
            try writer.finish(GaplessInfo(primingFrames: value, validFrames: value, remainderFrames: value))
        }
    }

    @Test("Formats other than CAF have a variant for pipes", arguments: writable)
    func pipes(format: AudioFileFormat) throws {
        guard let piped = format.streamable else { return #expect(format == .caf) }
        #expect(!piped.needsOverwriting)
        var writer = try piped.makeWriter(to: Pipe(), Self.configuration(format))
        for unit in Self.accessUnits(format) { try writer.append(unit) }
        try writer.finish()
        #expect(writer.sink.byteCount > 0)
    }

    @Test("A memory sink can be emptied during writing")
    func removal() throws {
        var whole = try ADTSWriter(to: MemorySink(), MP4Tests.config)
        var emptied = whole
        var sent: [UInt8] = []
        for unit in MP4Tests.accessUnits(5) {
            try whole.append(unit)
            try emptied.append(unit)
            sent += emptied.sink.removeBytes()
        }
        #expect(sent == whole.sink.bytes && emptied.sink.byteCount == sent.count && emptied.sink.bytes.isEmpty)
    }
}
