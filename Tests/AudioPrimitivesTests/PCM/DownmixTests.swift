// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

@Suite struct DownmixTests {
    static let surround = ChannelLayout([.center, .left, .right, .sideLeft, .sideRight, .lowFrequency])

    @Test("Stereo downmix has the standard gains for each matrix index", arguments: 0..<4)
    func stereo(index: Int) {
        // L' = (L + C / √2 + A Ls) / (1 + 1 / √2 + A)
        let surround = [Double(0.5).squareRoot(), 0.5, Double(0.125).squareRoot(), 0][index]
        let total = 1 + 0.5.squareRoot() + surround
        let expected = [Double(0.5).squareRoot(), 1, 0, surround, 0, 0].map { $0 / total }
        let mix = Downmix(Self.surround, toMono: false, matrixIndex: index)
        #expect(zip(mix.left, expected).allSatisfy { abs(Double($0) - $1) < 1e-6 })
        #expect([0, 2, 1, 4, 3, 5].map { mix.left[$0] } == mix.right)
    }

    @Test("Pseudo surround enters with opposite signs, and sums stay within full scale")
    func pseudoSurround() {
        let mix = Downmix(Self.surround, toMono: false, isPseudoSurround: true)
        #expect(mix.left[3] < 0 && mix.left[3] == mix.left[4] && mix.right[3] == -mix.left[3])
        for gains in [mix.left, mix.right] { #expect(gains.reduce(0) { $0 + abs($1) } <= 1.000_001) }
    }

    @Test("Mono downmix cannot clip, and omits LFE")
    func mono() {
        #expect(Downmix(monoFrom: 2, layout: nil).left == [0.5, 0.5])
        let gains = Downmix(monoFrom: 6, layout: Self.surround).left
        #expect(abs(gains.reduce(0, +) - 1) < 1e-6)
        #expect(gains[5] == 0 && gains[0] > gains[1] && gains[1] > gains[3])
        #expect(Downmix(monoFrom: 1, layout: ChannelLayout([.lowFrequency])).left == [1])
        #expect(Downmix(ChannelLayout([.lowFrequency]), toMono: true).left == [0])
    }
}
