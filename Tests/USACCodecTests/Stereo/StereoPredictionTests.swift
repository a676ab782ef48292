// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct StereoPredictionTests {
    private static func windows(isShort: Bool, _ random: inout SeededRandom) -> WindowDivision {
        var windows = WindowDivision()
        guard isShort else { return windows }
        windows.sequence = .eightShort
        windows.groupLengths = random.element(of: [SIMD8(8, 0, 0, 0, 0, 0, 0, 0), SIMD8(1, 5, 2, 0, 0, 0, 0, 0), SIMD8(repeating: 1)])
        windows.groupCount = windows.groupLengths.indices.count { windows.groupLengths[$0] > 0 }
        return windows
    }

    /// Sets random information for a frame with prediction.
    private static func setPrediction(
        _ info: inout StereoCoreToolInfo, _ windows: WindowDivision, bandCount: Int, _ random: inout SeededRandom
    ) {
        info.clear()
        info.mode = .prediction
        info.bandCount = bandCount
        info.isReversed = random.integer(in: 0..<2) == 0
        info.isComplex = random.integer(in: 0..<4) > 0
        info.usesPreviousFrame = info.isComplex && random.integer(in: 0..<2) == 0
        info.isDeltaInTime = random.integer(in: 0..<2) == 0
        for group in 0..<windows.groupCount {
            for band in stride(from: 0, to: bandCount, by: 2) {
                let index = group * WindowDivision.bandStride + band
                let isUsed = random.integer(in: 0..<4) > 0
                for place in index..<min(index + 2, WindowDivision.bandCapacity) { info.used[place] = isUsed ? 1 : 0 }
                info.realDifferences[index] = Int8(random.integer(in: -8..<9))
                info.imaginaryDifferences[index] = info.isComplex ? Int8(random.integer(in: -8..<9)) : 0
            }
        }
    }

    /// Returns a frame in the model's form.
    private static func frame(
        _ info: borrowing StereoCoreToolInfo, _ windows: WindowDivision, _ bands: ScaleFactorBands, _ shapes: StereoPrediction.Shapes
    ) -> ComplexPredictionModel.Frame {
        var frame = ComplexPredictionModel.Frame()
        frame.groupLengths = (0..<windows.groupCount).map { Int(windows.groupLengths[$0]) }
        frame.isShort = windows.isShort
        frame.offsets = (0...info.bandCount).map { bands.offset($0, isShort: windows.isShort) }
        frame.bandCount = info.bandCount
        for group in 0..<windows.groupCount {
            let indices = (0..<info.bandCount).map { group * WindowDivision.bandStride + $0 }
            var (used, real, imaginary) = ([Bool](), [Int](), [Int]())
            for index in indices {
                used.append(info.used[index] != 0)
                real.append(Int(info.realDifferences[index]))
                imaginary.append(Int(info.imaginaryDifferences[index]))
            }
            frame.used.append(used)
            frame.realDifferences.append(real)
            frame.imaginaryDifferences.append(imaginary)
        }
        (frame.isReversed, frame.isComplex) = (info.isReversed, info.isComplex)
        (frame.usesPreviousFrame, frame.isDeltaInTime) = (info.usesPreviousFrame, info.isDeltaInTime)
        (frame.sequence, frame.isLeftDerived, frame.isRightDerived) = (
            shapes.sequence, shapes.left == .kaiserBesselDerived, shapes.right == .kaiserBesselDerived
        )
        return frame
    }

    // Coefficients, filters and lines are in single precision. Sums have 15 terms.
    @Test("Left and right match the prediction with its MDST estimate, across frames", arguments: [1024, 768])
    func prediction(frameLength: Int) {
        let bands = ScaleFactorBands(coreRate: 24_000, frameLength: frameLength)
        let shapeChoices: [WindowShape] = [.sine, .kaiserBesselDerived]
        let comparison = ModelComparison(seeds: 800..<824, faultSeedCount: 8) { seed, fault in
            var random = SeededRandom(seed: seed)
            var tool = StereoPrediction(frameLength: frameLength)
            var model = ComplexPredictionModel(fault: fault)
            var info = StereoCoreToolInfo()
            var error = ModelError()
            var isShort = false
            for _ in 0..<5 {
                if random.integer(in: 0..<4) == 0 { isShort.toggle() }
                if random.integer(in: 0..<6) == 0 {
                    tool.reset()
                    model.reset()
                }
                let windows = Self.windows(isShort: isShort, &random)
                let bandCount = random.integer(in: 2..<bands.count(isShort: isShort) + 1)
                Self.setPrediction(&info, windows, bandCount: bandCount, &random)
                let shapes = StereoPrediction.Shapes(
                    sequence: isShort ? 0 : random.integer(in: 0..<4), left: random.element(of: shapeChoices),
                    right: random.element(of: shapeChoices))
                let (length, coded) = (bands.lineCount(isShort: isShort), bands.offset(bandCount, isShort: isShort))
                var spectra = (0..<2 * frameLength).map { $0 % length < coded ? random.float(in: -1000...1000) : 0 }
                let input = [0, 1].map { spectra[$0 * frameLength..<(1 + $0) * frameLength].map(Double.init) }
                let previous = random.integer(in: 0..<4) == 0 ? [] : random.samples(2 * frameLength, amplitude: 1000)
                // The last window of both channels.
                let last = [1, 2].map { previous.isEmpty ? [] : previous[$0 * frameLength - length..<$0 * frameLength].map(Double.init) }
                let frame = Self.frame(info, windows, bands, shapes)
                let expected = model.decode(frame, input, previous: previous.isEmpty ? nil : last)
                spectra.withMutableSpan {
                    tool.decodePrediction(info, windows: windows, bands: bands, shapes: shapes, previous: previous.span, in: &$0)
                }
                error.add(spectra, expected: expected[0] + expected[1])
            }
            return error
        }
        #expect(comparison.agrees(below: -115), "\(comparison)")
    }

    @Test("Converts M/S to L/R in marked bands only", arguments: [false, true])
    func midSide(isShort: Bool) {
        var random = SeededRandom(seed: 830)
        let bands = ScaleFactorBands(coreRate: 24_000, frameLength: 1024)
        let windows = Self.windows(isShort: isShort, &random)
        var info = StereoCoreToolInfo()
        info.mode = .midSideBands
        info.bandCount = bands.count(isShort: isShort) - 1
        for index in info.used.indices { info.used[index] = UInt8(random.integer(in: 0..<2)) }
        let input = random.samples(2048, amplitude: 1000)
        var output = input
        output.withMutableSpan { StereoPrediction.decodeMidSide(info, windows: windows, bands: bands, in: &$0) }
        var groups: [Int] = []
        for group in 0..<windows.groupCount { groups += Array(repeating: group, count: Int(windows.groupLengths[group])) }
        let length = bands.lineCount(isShort: isShort)
        for (window, group) in groups.enumerated() {
            for line in 0..<length {
                let band = (0..<info.bandCount).first { line < bands.offset($0 + 1, isShort: isShort) }
                let isUsed = band.map { info.used[group * WindowDivision.bandStride + $0] != 0 } ?? false
                let (mid, side) = (input[window * length + line], input[1024 + window * length + line])
                #expect(output[window * length + line] == (isUsed ? mid + side : mid), "window \(window), line \(line)")
                #expect(output[1024 + window * length + line] == (isUsed ? mid - side : side), "window \(window), line \(line)")
            }
        }
    }
}
