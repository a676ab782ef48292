// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio
import Testing
import TransformCoding
import TransformEncoding

@Suite struct TargetRefinementTests {
    /// The bands of a long window at 48 kHz.
    private let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)

    /// A band whose lines map to 8 separate short lines.
    private static let band = 48

    /// Refines targets of 1.
    ///
    /// - Parameters:
    ///   - refinement: The state after previous frames.
    ///   - long: The coefficients of the long window.
    ///   - short: The coefficients of eight short windows, or `nil` to keep the last fluctuation.
    private func refine(
        _ refinement: inout TargetRefinement, long: [Float], short: [Float]? = nil, crest: Float = 0, bark: Float = 0
    ) -> [Float] {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        var targets = [Float](repeating: 1, count: 120)
        var energies = [Float](repeating: 0, count: 120)
        for band in 0..<layout.count { energies[band] = layout.lines(band).reduce(0) { $0 + long[$1] * long[$1] } }
        var span = targets.mutableSpan
        if let short { refinement.measureFluctuation(short.span, layout: layout) }
        refinement.refine(
            &span, spectrum: long.span, energies: energies.span, barks: [Float](repeating: bark, count: 52).span,
            weights: .init(fluctuation: 0.1, crest: crest, highFrequency: 0.2), layout: layout)
        return Array(targets[0..<layout.count])
    }

    /// The band's lines at 48 kHz.
    private var lines: Range<Int> {
        Int(bands.longOffsets[Self.band])..<Int(bands.longOffsets[Self.band + 1])
    }

    @Test("A steady signal keeps its targets")
    func steady() {
        var refinement = TargetRefinement(frameLength: 1024)
        let flat = [Float](repeating: 1000, count: 1024)
        for _ in 0..<3 {
            #expect(refine(&refinement, long: flat, short: flat).allSatisfy { abs($0 - 1) < 0.001 })
        }
    }

    @Test("Only a band that pauses in half the window, and its neighbours, get less noise")
    func pauses() {
        var refinement = TargetRefinement(frameLength: 1024)
        let flat = [Float](repeating: 1000, count: 1024)
        var short = flat
        for window in 0..<4 {
            for line in lines.lowerBound / 8..<(lines.upperBound + 7) / 8 { short[window * 128 + line] = 0 }
        }
        let targets = refine(&refinement, long: flat, short: short)
        #expect(targets[Self.band] < 0.9)
        #expect(targets[0..<Self.band - 1].allSatisfy { abs($0 - 1) < 0.001 })
    }

    @Test("Measures two frames, then one per interval, and starts again after short windows", arguments: 1...4)
    func interval(length: Int) {
        var refinement = TargetRefinement(frameLength: 1024)
        let flat = [Float](repeating: 1000, count: 1024)
        for _ in 0..<2 {
            let measured = (0..<9).map { _ in
                let isMeasured = refinement.startFrame(interval: length)
                _ = refine(&refinement, long: flat)
                return isMeasured
            }
            #expect(measured == (0..<9).map { $0 == 0 || ($0 - 1) % length == 0 })
            refinement.interrupt()
        }
    }

    @Test("A rise lowers the targets, but not a fall or a rise after short windows")
    func rise() {
        let flat = [Float](repeating: 1000, count: 1024)
        var loud = flat
        for line in lines { loud[line] *= 16 }
        var refinement = TargetRefinement(frameLength: 1024)
        _ = refine(&refinement, long: flat, short: flat)
        // Eight octaves of energy.
        #expect(abs(refine(&refinement, long: loud, short: flat)[Self.band] - PortableMath.exp2(-8 * 0.15)) < 0.001)
        #expect(abs(refine(&refinement, long: flat, short: flat)[Self.band] - 1) < 0.001)
        refinement.interrupt()
        #expect(abs(refine(&refinement, long: loud, short: flat)[Self.band] - 1) < 0.001)
    }

    @Test("Noise is higher around 21 Bark")
    func highFrequency() {
        let flat = [Float](repeating: 1000, count: 1024)
        for (bark, octaves) in [(17, 0), (18, 0), (19.5, 0.1), (21, 0.2), (22.5, 0.1), (24, 0)] as [(Float, Float)] {
            var refinement = TargetRefinement(frameLength: 1024)
            #expect(abs(refine(&refinement, long: flat, short: flat, bark: bark)[Self.band] - PortableMath.exp2(octaves)) < 0.001)
        }
    }

    @Test("A single line in a band lowers its target if the crest has weight")
    func crest() {
        let flat = [Float](repeating: 1000, count: 1024)
        var single = flat
        for line in lines.dropFirst() { single[line] = 1 }
        var refinement = TargetRefinement(frameLength: 1024)
        #expect(refine(&refinement, long: single, short: flat, crest: 0.1)[Self.band] < 0.7)
        refinement.interrupt()
        #expect(abs(refine(&refinement, long: single, short: flat)[Self.band] - 1) < 0.001)
    }
}
