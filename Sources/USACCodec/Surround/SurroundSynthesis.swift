// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The decoder of MPEG Surround 2-1-2 of one element: from the hybrid bands of a downmix, and maybe a residual, to those of two outputs
/// (ISO/IEC 23003-3, 7.11).
struct SurroundSynthesis: ~Copyable {
    /// The configuration.
    private let configuration: MPEGSurround212Config
    /// Whether there is a second core channel.
    private let hasResidual: Bool
    /// The columns of a frame.
    let columnCount: Int
    /// The reader of the data.
    private var reader: SurroundReader
    /// The data read last.
    private var reading = SurroundFrame()
    /// The data of the current frame.
    private var frame = SurroundFrame()
    /// The mixing matrices.
    private var matrices: SurroundMatrices
    /// The decorrelator.
    private var decorrelator: SurroundDecorrelator
    /// The shaping in time.
    private var shaper = SurroundShaper()
    /// The hybrid bands of the lowest subbands of the downmix.
    var split: HybridSplit
    /// The same of the residual.
    var residualSplit: HybridSplit
    /// The downmix.
    var downmix: SurroundSignal
    /// The residual.
    var residual: SurroundSignal
    /// The decorrelated downmix.
    private var decorrelated: SurroundSignal
    /// The left output.
    private(set) var left: SurroundSignal
    /// The right output.
    private(set) var right: SurroundSignal
    /// The part of the left output from the decorrelated signal.
    private var wetLeft: SurroundSignal
    /// The part of the right output from the decorrelated signal.
    private var wetRight: SurroundSignal

    /// Makes a decoder before the first frame.
    init(_ configuration: MPEGSurround212Config, hasResidual: Bool, columnCount: Int) {
        self.configuration = configuration
        self.hasResidual = hasResidual
        self.columnCount = columnCount
        reader = SurroundReader(configuration, slotCount: columnCount)
        matrices = SurroundMatrices(configuration, hasResidual: hasResidual, columnCount: columnCount)
        decorrelator = SurroundDecorrelator(configuration: configuration.decorrelation, columnCount: columnCount)
        split = HybridSplit(columnCount: columnCount)
        residualSplit = HybridSplit(columnCount: columnCount)
        downmix = SurroundSignal(columnCount: columnCount)
        residual = SurroundSignal(columnCount: columnCount)
        decorrelated = SurroundSignal(columnCount: columnCount)
        left = SurroundSignal(columnCount: columnCount)
        right = SurroundSignal(columnCount: columnCount)
        wetLeft = SurroundSignal(columnCount: columnCount)
        wetRight = SurroundSignal(columnCount: columnCount)
        frame.slots[0] = UInt8(columnCount - 1)
    }

    /// The gain of the downmix and of the residual.
    var inputGain: Float {
        configuration.fixedGain == 7 ? 4 : Float(PortableMath.powerOfTwo(Double(configuration.fixedGain) / 4))
    }

    /// The bands of hybrid bands that the residual reaches, counted from the first.
    var residualHybridCount: Int {
        guard hasResidual else { return 0 }
        let map = SurroundTables.mapStart(bandCount: configuration.bandCount)
        return (0..<SurroundTables.hybridBandCount).last { Int(SurroundTables.bandMaps[map + $0]) < configuration.residualBandCount }
            .map { $0 + 1 } ?? 0
    }

    /// Reads `Mps212Data`.
    ///
    /// - Throws: ``USACError/invalidSurroundData``.
    mutating func read(from bits: inout BitReader, isIndependent: Bool) throws(USACError) {
        try reader.read(&reading, from: &bits, isIndependent: isIndependent)
    }

    /// Begins the frame that was read last.
    mutating func beginFrame() {
        reader.commit()
        swap(&frame, &reading)
    }

    /// Begins a frame in place of one that is lost.
    mutating func concealFrame() { reader.conceal(&frame) }

    /// Computes the outputs of a frame from ``downmix`` and ``residual``.
    mutating func mix() {
        matrices.compute(frame)
        decorrelator.decorrelate(downmix, transients: frame.transients, into: &decorrelated)
        if frame.transients != 0 { addTransients() }
        let map = SurroundTables.mapStart(bandCount: configuration.bandCount)
        for band in 0..<SurroundTables.hybridBandCount {
            let parameterBand = Int(SurroundTables.bandMaps[map + band])
            mixBand(band, matrices: parameterBand * columnCount, isResidual: hasResidual && parameterBand < configuration.residualBandCount)
        }
        shape()
        split.advance()
        residualSplit.advance()
    }

    /// Adds the columns that TSD takes around the decorrelator.
    private mutating func addTransients() {
        for column in 0..<columnCount where frame.transients >> UInt64(column) & 1 != 0 {
            let turn = Double(frame.transientPhases[column]) / 4
            let (cosine, sine) = (Float(CircularFunctions.cosinePi(turn)), Float(CircularFunctions.sinePi(turn)))
            for band in 7..<SurroundTables.hybridBandCount {
                let value = downmix[band, column]
                decorrelated[band, column] += SIMD2(value.x * cosine - value.y * sine, value.x * sine + value.y * cosine)
            }
        }
    }

    /// Mixes a hybrid band to dry and wet parts of both outputs.
    private mutating func mixBand(_ band: Int, matrices first: Int, isResidual: Bool) {
        // The lowest two bands have negative frequencies.
        let sign: Float = band < 2 ? -1 : 1
        for column in 0..<columnCount {
            let matrix = matrices.matrices[first + column]
            let imaginary = matrix.imaginary * SIMD4(repeating: sign)
            let value = downmix[band, column]
            var dryLeft = Self.product(value, matrix.real.x, imaginary.x)
            var dryRight = Self.product(value, matrix.real.z, imaginary.z)
            let other = isResidual ? residual[band, column] : decorrelated[band, column]
            let (otherLeft, otherRight) = (
                Self.product(other, matrix.real.y, imaginary.y), Self.product(other, matrix.real.w, imaginary.w)
            )
            if isResidual {
                dryLeft += otherLeft
                dryRight += otherRight
            }
            left[band, column] = dryLeft
            right[band, column] = dryRight
            wetLeft[band, column] = isResidual ? SIMD2(0, 0) : otherLeft
            wetRight[band, column] = isResidual ? SIMD2(0, 0) : otherRight
        }
    }

    /// Returns the product with a complex number.
    @inline(__always)
    private static func product(_ value: SIMD2<Float>, _ real: Float, _ imaginary: Float) -> SIMD2<Float> {
        SIMD2(value.x * real - value.y * imaginary, value.x * imaginary + value.y * real)
    }

    /// Adds the wet parts to the dry ones, shaped.
    private mutating func shape() {
        for column in 0..<columnCount {
            var scales = SIMD2<Float>(1, 1)
            switch configuration.temporalShaping {
            case 1:
                scales = shaper.scales(dryLeft: left, dryRight: right, wetLeft: wetLeft, wetRight: wetRight, column: column)
                if frame.isShaped.0 {
                    SurroundShaper.add(wetLeft, to: &left, column: column, scale: scales.x)
                } else {
                    Self.add(wetLeft, to: &left, column)
                }
                if frame.isShaped.1 {
                    SurroundShaper.add(wetRight, to: &right, column: column, scale: scales.y)
                } else {
                    Self.add(wetRight, to: &right, column)
                }
            case 2: shapeEnvelopes(column)
            default:
                Self.add(wetLeft, to: &left, column)
                Self.add(wetRight, to: &right, column)
            }
        }
    }

    /// Adds the wet parts of a column by GES.
    private mutating func shapeEnvelopes(_ column: Int) {
        let source = shaper.envelope(0, SurroundShaper.energies(downmix, column: column))
        let first = shaper.envelope(1, SurroundShaper.energies(left, wetLeft, column: column))
        let second = shaper.envelope(2, SurroundShaper.energies(right, wetRight, column: column))
        if frame.isShaped.0 {
            SurroundShaper.add(wetLeft, to: &left, column: column, gain: gain(0, column, source, first))
        } else {
            Self.add(wetLeft, to: &left, column)
        }
        if frame.isShaped.1 {
            SurroundShaper.add(wetRight, to: &right, column: column, gain: gain(1, column, source, second))
        } else {
            Self.add(wetRight, to: &right, column)
        }
    }

    /// Returns the gain of an output in a column by GES.
    private func gain(_ channel: Int, _ column: Int, _ source: Float, _ own: Float) -> Float {
        let exponent = Double(frame.reshaping[64 * channel + column]) / Double(configuration.envelopeQuantization + 2) - 1
        return own > 0 ? Float(PortableMath.powerOfTwo(exponent)) * source / own : 1
    }

    /// Adds the wet part of a column.
    private static func add(_ wet: borrowing SurroundSignal, to dry: inout SurroundSignal, _ column: Int) {
        for band in 0..<SurroundTables.hybridBandCount { dry[band, column] += wet[band, column] }
    }
}
