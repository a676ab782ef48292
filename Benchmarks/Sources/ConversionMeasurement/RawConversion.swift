// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import PCMFiles

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A PCM conversion from standard input to standard output, without headers, so that it can be timed like sox.
struct RawConversion {
    var input: AudioFormat
    var output: AudioFormat
    var options = AudioConverterOptions()

    /// Creates a conversion from words: input encoding and rate, output encoding and rate, channels, quality, dither.
    init?(_ words: ArraySlice<String>) {
        let words = Array(words)
        guard words.count == 7, let from = SampleEncoding(name: words[0]), let inputRate = Int(words[1]),
            let to = SampleEncoding(name: words[2]),
            let outputRate = Int(words[3]), let channelCount = Int(words[4]), let quality = SampleRateConverterQuality(rawValue: words[5]),
            let dither = Dither(rawValue: words[6])
        else { return nil }
        input = AudioFormat(from, sampleRate: inputRate, channelCount: channelCount)
        output = AudioFormat(to, sampleRate: outputRate, channelCount: channelCount)
        options.quality = quality
        options.dither = dither
    }

    func run() throws {
        let converter = try AudioConverter(from: .pcm(input), to: .pcm(output), options: options)
        var bytes = [UInt8](repeating: 0, count: 16_384 * input.bytesPerFrame)
        var block: [UInt8] = []
        while true {
            let count = bytes.withUnsafeMutableBytes { Self.fill($0) }
            try converter.append(bytes.span.bytes.extracting(first: count))
            let isLast = count < bytes.count
            if isLast { try converter.finish() }
            while converter.read(16_384, into: &block) > 0 {
                block.withUnsafeBytes { Self.send($0) }
            }
            if isLast { return }
        }
    }

    /// Reads bytes until the buffer is full or the input ends, and returns their number.
    private static func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        var total = 0
        while total < bytes.count {
            let count = read(0, bytes.baseAddress?.advanced(by: total), bytes.count - total)
            guard count > 0 else { break }
            total += count
        }
        return total
    }

    /// Writes all bytes to standard output.
    private static func send(_ bytes: UnsafeRawBufferPointer) {
        var total = 0
        while total < bytes.count {
            let count = write(1, bytes.baseAddress?.advanced(by: total), bytes.count - total)
            guard count > 0 else { exit(1) }
            total += count
        }
    }
}
