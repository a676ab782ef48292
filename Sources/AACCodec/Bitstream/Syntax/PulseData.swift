// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// Pulses: amplitudes added to single lines after Huffman decoding (`pulse_data`, ISO/IEC 14496-3:2009, 4.6.4).
package struct PulseData {
    /// The number of pulses, 1 to 4.
    package var count = 1

    /// The band at whose first line the offsets start (`pulse_start_sfb`).
    package var startBand = 0

    /// The distance of each pulse from the start or the previous pulse, in lines, 0 to 31 (`pulse_offset`).
    package var offsets = SIMD4<UInt8>()

    /// The amount added to the magnitude of each pulse's line, 0 to 15 (`pulse_amp`).
    package var amplitudes = SIMD4<UInt8>()

    /// Creates one pulse of amplitude 0.
    package init() {}

    /// Reads the structure, and checks that the pulses are within the spectrum.
    init(reading reader: inout BitReader, bands: ScaleFactorBands) throws(CodecError) {
        count = Int(reader.read(2)) + 1
        startBand = Int(reader.read(6))
        for pulse in 0..<count {
            offsets[pulse] = UInt8(reader.read(5))
            amplitudes[pulse] = UInt8(reader.read(4))
        }
        guard startBand < bands.longCount else { throw .pulseStartOutOfRange(band: startBand, bandCount: bands.longCount) }
        var line = Int(bands.longOffsets[startBand])
        for pulse in 0..<count {
            line += Int(offsets[pulse])
        }
        guard line < bands.frameLength else { throw .pulseOutOfRange(line: line, lineCount: bands.frameLength) }
    }

    func write(to sink: inout some BitSink) {
        sink.write(UInt32(count - 1), count: 2)
        sink.write(UInt32(startBand), count: 6)
        for pulse in 0..<count {
            sink.write(UInt32(offsets[pulse]), count: 5)
            sink.write(UInt32(amplitudes[pulse]), count: 4)
        }
    }

    /// Adds the pulses to the lines of a long window.
    func apply(to quantized: inout MutableSpan<Int16>, bands: ScaleFactorBands) throws(CodecError) {
        var line = Int(bands.longOffsets[startBand])
        for pulse in 0..<count {
            line += Int(offsets[pulse])
            let amplitude = Int(amplitudes[pulse])
            let value = Int(quantized[line])
            let sum = value > 0 ? value + amplitude : value - amplitude
            guard sum.magnitude <= SpectralCodebook.maximumEscapedMagnitude else { throw .quantizedValueOutOfRange(sum) }
            quantized[line] = Int16(sum)
        }
    }
}
