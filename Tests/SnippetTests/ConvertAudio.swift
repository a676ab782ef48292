// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Converts PCM in memory to another sample format, rate and channel count.
func convertSamples(_ bytes: [UInt8]) throws -> [UInt8] {
    // snippet: convert-samples
    var options = AudioConverterOptions()
    options.quality = .maximum
    options.dither = .triangular
    let converter = try AudioConverter(
        from: .pcm(AudioFormat(.int24, sampleRate: 96_000, channelCount: 2)),
        to: .pcm(AudioFormat(.int16, sampleRate: 44_100, channelCount: 1)), options: options)
    try converter.append(bytes.span.bytes)
    try converter.finish()
    var result: [UInt8] = []
    converter.read(converter.availableFrameCount, into: &result)
    // end
    return result
}

/// Pulls AAC packets from a source that may have no input at the moment.
func pullPackets(from source: inout SampleSource) throws -> [AccessUnit] {
    let input = AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)
    let output = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 128_000))
    // snippet: pull-packets
    let converter = try AudioConverter(from: .pcm(input), to: .packets(.aac(output)))
    var packets: [AccessUnit] = []
    var fill: AudioConverter.Fill
    repeat {
        fill = try converter.fill(&packets, packetCount: 10) { frameCount in
            if let bytes = try source.read(frameCount) { return .bytes(bytes) }
            return source.isAtEnd ? .end : .noneNow
        }
        if case .failed(let error) = fill.status { throw error }
    } while !fill.hasEnded
    // end
    precondition(converter.outputMagicCookie != nil)
    return packets
}

/// Decodes packets to 16-bit integers at 16 kHz, without priming and padding.
func decodePackets(_ packets: [AccessUnit], _ configuration: CodecConfiguration, _ gapless: GaplessInfo) throws -> [UInt8] {
    // snippet: decode-packets
    var options = AudioConverterOptions()
    options.inputGapless = gapless
    let output = AudioFormat(.int16, sampleRate: 16_000, channelCount: 1)
    let converter = try AudioConverter(from: .packets(configuration), to: .pcm(output), options: options)
    for packet in packets { try converter.append(packet: packet.payload.span) }
    try converter.finish()
    // end
    var result: [UInt8] = []
    converter.read(converter.availableFrameCount, into: &result)
    return result
}

/// Chooses an encoder, and the applicable bit rate closest to the requested one.
func chooseEncoder() throws -> (maker: CodecDescription.Maker, bitRate: Int?) {
    // snippet: choose-encoder
    let registry = CodecRegistry()
    let encoder = try registry.codec(.encoder, .mpeg4AAC, preferring: [.appleHardware], allowsFallback: true)
    let bitRate = encoder.nearestBitRate(to: 96_000, sampleRate: 8000, channelCount: 1)
    // end
    return (encoder.maker, bitRate)
}

/// A source of 16-bit samples in blocks that sometimes has no data.
struct SampleSource {
    /// The remaining bytes.
    var bytes: [UInt8]
    private var calls = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { bytes.isEmpty }

    /// Returns at most `frameCount` stereo frames; `nil` without data at the moment.
    mutating func read(_ frameCount: Int) throws -> [UInt8]? {
        calls += 1
        guard calls % 3 != 0, !bytes.isEmpty else { return nil }
        let count = min(bytes.count, 4 * frameCount)
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}
