// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// The scale factor, intensity position or noise energy of each band, coded as differences (`scale_factor_data`, ISO/IEC 14496-3:2009,
/// 4.6.2).
enum ScaleFactorData {
    /// The start value of noise energy differences, relative to the global gain and downward.
    static let noiseOffset = 90

    /// The offset of the first noise energy, which has nine bits.
    static let firstNoiseOffset = 256

    /// The values that a decoder accepts, for codebooks 1 to 11, 13, and 14 to 15.
    static let scaleFactorRange = 0...255
    static let noiseEnergyRange = -100...155
    static let intensityPositionRange = -155...100

    /// Reads the values of all bands.
    ///
    /// Bands with codebook 0 get 0.
    static func read(
        into scaleFactors: inout MutableSpan<Int16>, codebooks: Span<UInt8>, info: ICSInfo, globalGain: Int,
        from reader: inout BitReader
    ) throws(CodecError) {
        let table = ScaleFactorCoder.shared
        let entries = table.decodingEntries.span
        var window = BitWindow(reader)
        defer { reader.skip(window.position &- reader.bitPosition) }
        var last = LastValues(globalGain: globalGain)
        for group in 0..<info.groupCount {
            let bands = group &* ICSInfo.bandStride..<group &* ICSInfo.bandStride &+ info.maxSFB
            // All accesses are within these bounds.
            precondition(bands.lowerBound >= 0 && bands.upperBound <= codebooks.count && bands.upperBound <= scaleFactors.count)
            for band in bands {
                let codebook = unsafe codebooks[unchecked: band]
                guard codebook != BandCodebook.zero else {
                    unsafe scaleFactors[unchecked: band] = 0
                    continue
                }
                // The longest codeword has 19 bits.
                window.refill(from: reader, ifFewerThan: 19)
                if codebook == BandCodebook.noise && last.isFirstNoise {
                    unsafe scaleFactors[unchecked: band] = try last.firstNoise(Int(window.bits >> 55))
                    window.skip(9)
                } else {
                    unsafe scaleFactors[unchecked: band] = try last.next(
                        codebook, ScaleFactorCoder.read(from: &window, entries: entries))
                }
            }
        }
    }

    /// The last value of each kind, for the next difference.
    struct LastValues {
        private var scaleFactor: Int
        private var intensityPosition = 0
        private var noiseEnergy: Int
        /// Whether no band so far is noise.
        private(set) var isFirstNoise = true

        /// Starts a frame.
        init(globalGain: Int) {
            scaleFactor = globalGain
            noiseEnergy = globalGain - noiseOffset
        }

        /// Returns the first noise energy from its nine bits.
        mutating func firstNoise(_ bits: Int) throws(CodecError) -> Int16 {
            isFirstNoise = false
            return try next(BandCodebook.noise, bits &- firstNoiseOffset)
        }

        /// Returns the value of a band whose codebook is not 0, after a range check.
        @inline(__always)
        mutating func next(_ codebook: UInt8, _ difference: Int) throws(CodecError) -> Int16 {
            if codebook < BandCodebook.noise {
                scaleFactor &+= difference
                guard scaleFactorRange.contains(scaleFactor) else { throw .scaleFactorOutOfRange(scaleFactor) }
                return Int16(truncatingIfNeeded: scaleFactor)
            }
            if codebook == BandCodebook.noise {
                noiseEnergy &+= difference
                guard noiseEnergyRange.contains(noiseEnergy) else { throw .noiseEnergyOutOfRange(noiseEnergy) }
                return Int16(truncatingIfNeeded: noiseEnergy)
            }
            intensityPosition &+= difference
            guard intensityPositionRange.contains(intensityPosition) else { throw .intensityPositionOutOfRange(intensityPosition) }
            return Int16(truncatingIfNeeded: intensityPosition)
        }
    }

    /// Writes the values of all bands.
    ///
    /// Consecutive values of one kind may differ by at most 60, the first noise energy by 256 from its start.
    static func write(
        _ scaleFactors: Span<Int16>, codebooks: Span<UInt8>, info: ICSInfo, globalGain: Int, to sink: inout some BitSink
    ) {
        let table = ScaleFactorCoder.shared
        let codewords = table.codewords.span
        var scaleFactor = globalGain
        var intensityPosition = 0
        var noiseEnergy = globalGain - noiseOffset
        var isFirstNoise = true
        for group in 0..<info.groupCount {
            for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + info.maxSFB {
                let value = Int(scaleFactors[band])
                switch codebooks[band] {
                case BandCodebook.zero: continue
                case BandCodebook.noise:
                    if isFirstNoise {
                        sink.write(UInt32(value - noiseEnergy + firstNoiseOffset), count: 9)
                        isFirstNoise = false
                    } else {
                        ScaleFactorCoder.write(value - noiseEnergy, to: &sink, codewords: codewords)
                    }
                    noiseEnergy = value
                case BandCodebook.intensityOutOfPhase, BandCodebook.intensityInPhase:
                    ScaleFactorCoder.write(value - intensityPosition, to: &sink, codewords: codewords)
                    intensityPosition = value
                default:
                    ScaleFactorCoder.write(value - scaleFactor, to: &sink, codewords: codewords)
                    scaleFactor = value
                }
            }
        }
    }
}
