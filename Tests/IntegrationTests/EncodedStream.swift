// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import Foundation
import TestSupport

/// The output of an encoder.
struct EncodedStream {
    let configuration: AACEncoderConfiguration
    /// The payloads of the access units.
    private(set) var accessUnits: [[UInt8]] = []
    private(set) var gapless = GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0)
    /// The access units with ADTS headers; in LOAS for eight channels, whose configuration ADTS cannot signal.
    private(set) var adts: [UInt8] = []

    /// Encodes channels of equal length in a single call.
    init(_ channels: [[Float]], _ configuration: AACEncoderConfiguration) throws {
        try self.init(configuration) { encoder, body in
            try encoder.encode(Self.buffer(channels, sampleRate: configuration.sampleRate), body)
        }
    }

    /// Encodes the signal that `feed` passes to the encoder.
    init(
        _ configuration: AACEncoderConfiguration, feed: (AACEncoder, (AccessUnit) throws -> Void) throws -> Void
    ) throws {
        self.configuration = configuration
        let encoder = try AACEncoder(configuration)
        var accessUnits: [[UInt8]] = []
        try feed(encoder) { accessUnits.append($0.payload) }
        gapless = encoder.finish { accessUnits.append($0.payload) }
        let container: AudioFileFormat = configuration.channelCount == 8 ? .loas : .adts
        var writer = try container.makeWriter(to: MemorySink(), encoder.audioSpecificConfig)
        for accessUnit in accessUnits { try writer.append(AccessUnit(accessUnit)) }
        try writer.finish(gapless)
        adts = writer.sink.bytes
        self.accessUnits = accessUnits
    }

    /// Returns a buffer with channels of equal length.
    static func buffer(_ channels: [[Float]], sampleRate: Int) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channels.count, frameCapacity: channels[0].count)
        buffer.samples = ContiguousArray(channels.joined())
        return buffer
    }

    /// A hash of all access units and their boundaries (FNV-1a).
    var hash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for accessUnit in accessUnits {
            for byte in accessUnit {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
            hash = (hash ^ 0x100) &* 0x0000_0100_0000_01B3
        }
        return hash
    }
}

/// The output of another decoder.
struct ReferenceDecoding {
    let channels: [[Float]]
    /// The program's standard error.
    let messages: String

    /// Decodes ADTS with FFmpeg, in WAV channel order.
    static func byFFmpeg(_ adts: [UInt8], channelCount: Int) throws -> ReferenceDecoding {
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let path = try folder.write(adts, to: "stream.aac")
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin -i \(path) -f f32le -c:a pcm_f32le -")
        return ReferenceDecoding(run.output, channelCount: channelCount, messages: run.errorText)
    }

    /// Decodes several ADTS streams in one FFmpeg process, because start-up dominates its time.
    ///
    /// - Returns: A decoding for each stream, with the messages for all streams.
    static func byFFmpeg(_ streams: [[UInt8]], channelCount: Int) throws -> [ReferenceDecoding] {
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        var (inputs, outputs) = ("", "")
        for (index, adts) in streams.enumerated() {
            inputs += " -i \(try folder.write(adts, to: "\(index).aac"))"
            outputs += " -map \(index) -f f32le -c:a pcm_f32le \(folder.path("\(index).raw"))"
        }
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin\(inputs)\(outputs)")
        return try streams.indices.map { index in
            let samples = try bytes(ofFile: folder.path("\(index).raw"))
            return ReferenceDecoding(samples, channelCount: channelCount, messages: run.errorText)
        }
    }

    /// Decodes ADTS with faad2 to 16 bits, in WAV channel order.
    static func byFAAD(_ adts: [UInt8], channelCount: Int) throws -> ReferenceDecoding {
        try ProgramRun.require("faad")
        let folder = try TemporaryFolder()
        let path = try folder.write(adts, to: "stream.aac")
        let output = folder.path("stream.raw")
        let run = try ProgramRun.shell("faad -q -f 2 -b 4 -o \(output) \(path)")
        return ReferenceDecoding(try bytes(ofFile: output), channelCount: channelCount, messages: run.errorText)
    }

    /// Creates a decoding from interleaved 32-bit little-endian float samples.
    init(_ bytes: [UInt8], channelCount: Int, messages: String) {
        let frameCount = bytes.count / (4 * channelCount)
        var channels = [[Float]](repeating: [Float](repeating: 0, count: frameCount), count: channelCount)
        for frame in 0..<frameCount {
            for channel in 0..<channelCount {
                let first = 4 * (frame * channelCount + channel)
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[first + $1]) << UInt32(8 * $1) }
                channels[channel][frame] = Float(bitPattern: bits)
            }
        }
        self.channels = channels
        self.messages = messages
    }

    var frameCount: Int { channels.first?.count ?? 0 }
}

/// Returns the signal-to-error ratio, in decibels.
func signalToError(_ signal: [Float], _ decoded: ArraySlice<Float>) -> Double {
    var energy = 1e-20
    var error = 1e-20
    for (a, b) in zip(signal, decoded) {
        energy += Double(a) * Double(a)
        error += (Double(a) - Double(b)) * (Double(a) - Double(b))
    }
    return 10 * log10(energy / error)
}
