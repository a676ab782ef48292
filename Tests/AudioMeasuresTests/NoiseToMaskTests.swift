// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import Foundation
import TestSupport
import Testing

@Suite struct NoiseToMaskTests {
    @Test("Noise masked by noise has the expected ratio", arguments: [-30.0, -20, -6, 0])
    func noiseInNoise(level: Double) throws {
        let original = noise(decibels: -20, frames: 96_000, seed: 8)
        let test = sum(original, noise(decibels: -20 + level, frames: 96_000, seed: 9))
        let measure = NoiseToMaskRatio(reference: sound(original), test: sound(test))
        let means = try #require(measure.bandMeans(measure.maps[0]))
        // In bands of many points energies hardly vary; between 2 and 14 kHz nothing is near the threshold in quiet.
        for band in means.indices where measure.bandEdges[band] > 2000 && measure.bandEdges[band + 1] < 14_000 {
            #expect(abs(means[band] - level - MaskingModel.noiseOffset) < 1.5, "band \(band)")
        }
    }

    @Test("Noise masked by a tone has the expected ratio")
    func noiseUnderTone() throws {
        // 18 dB below the tone within the tone's own band.
        let frames = 96_000
        let band = 30
        let size = BarkBands.frameSize(sampleRate: testRate)
        let bands = BarkBands(sampleRate: testRate, size: size, perBark: 2)
        let hertz = 0.5 * (bands.edges[band] + bands.edges[band + 1])
        let bandwidth = bands.edges[band + 1] - bands.edges[band]
        // White noise has this part of its energy in the band; a sine of amplitude 0.5 is -9 dBFS.
        let part = Decibels.power(bandwidth / Double(testRate / 2))
        let white = noise(decibels: -9.03 - 18 - part, frames: frames, seed: 10)
        let original = sine(hertz, frames: frames)
        let measure = NoiseToMaskRatio(reference: sound(original), test: sound(sum(original, white)))
        let mean = try #require(measure.bandMeans(measure.maps[0]))[band]
        // The tone's energy is spread over its neighbours, so that a little less of it stays in its band.
        let kept = Decibels.power(
            1
                / bands.centers.reduce(0) { sum, center in
                    let distance = center - bands.centers[band]
                    return sum + Decibels.ratio(distance > 0 ? -27 * distance : 15 * distance)
                })
        #expect(abs(mean + kept) < 1, "\(mean) \(kept)")
    }

    @Test("Thresholds match an independent model")
    func independentModel() {
        let size = 256
        let rate = 16_000
        let bands = BarkBands(sampleRate: rate, size: size, perBark: 2)
        var model = MaskingModel(bands: bands, size: size)
        var random = SeededRandom(seed: 11)
        let frames = (0..<4).map { frame in
            (0...size / 2).map { point -> (Double, Double) in
                // Half of the points turn steadily.
                let angle = point % 2 == 0 ? 0.1 * Double(point * frame) : Double.random(in: 0...6, using: &random)
                let magnitude = point % 2 == 0 ? 3 : Double.random(in: 0...2, using: &random)
                return (magnitude, angle)
            }
        }
        for (index, frame) in frames.enumerated() {
            model.advance(HalfSpectrum(real: frame.map { $0.0 * cos($0.1) }, imaginary: frame.map { $0.0 * sin($0.1) }))
            guard index >= 2 else { continue }
            let expected = thresholds(frames[index], frames[index - 1], frames[index - 2], rate: rate, size: size)
            #expect(expected.count == model.thresholds.count)
            for (band, value) in expected.enumerated() {
                #expect(abs(10 * log10(model.thresholds[band] / value)) < 1e-6, "frame \(index), band \(band)")
            }
        }
    }

    /// Documentation/Guides/Measuring.md line by line, in polar coordinates.
    private func thresholds(
        _ now: [(Double, Double)], _ before: [(Double, Double)], _ earlier: [(Double, Double)], rate: Int, size: Int
    ) -> [Double] {
        var bands: [Int: (points: [Int], energy: Double, surprise: Double)] = [:]
        let bark = { (f: Double) in 13 * atan(0.00076 * f) + 3.5 * atan(f * f / 56_250_000) }
        let spacing = Double(rate) / Double(size)
        let scale = pow(10, 9.6) / 1.5 / pow(Double(size) / 4, 2)
        for point in 1...size / 2 {
            let number = Int(2 * bark(Double(point) * spacing))
            let magnitude = 2 * before[point].0 - earlier[point].0
            let angle = 2 * before[point].1 - earlier[point].1
            let (a, b) = now[point]
            let distance = hypot(a * cos(b) - magnitude * cos(angle), a * sin(b) - magnitude * sin(angle))
            let surprise = distance / (a + abs(magnitude))
            bands[number, default: ([], 0, 0)].points.append(point)
            bands[number]?.energy += a * a * scale
            bands[number]?.surprise += a * a * scale * surprise
        }
        let list = bands.sorted { $0.key < $1.key }.map(\.value)
        let centers = list.map { bark(Double(($0.points.first ?? 0) + ($0.points.last ?? 0)) / 2 * spacing) }
        return list.indices.map { target in
            var (energy, surprise, weights) = (0.0, 0.0, 0.0)
            for masker in list.indices {
                let distance = centers[target] - centers[masker]
                let weight = pow(10, (distance >= 0 ? -15 * distance : 27 * distance) / 10)
                energy += weight * list[masker].energy
                surprise += weight * list[masker].surprise
                weights += weight
            }
            let tonality = min(1, max(0, -0.299 - 0.43 * log(surprise / energy)))
            let quiet =
                list[target].points.map { point in
                    let f = max(0.02, Double(point) * spacing / 1000)
                    return 3.64 * pow(f, -0.8) - 6.5 * exp(-0.6 * pow(f - 3.3, 2)) + pow(f, 4) / 1000
                }.min() ?? 0
            return max(energy / weights * pow(10, -(6 + 12 * tonality) / 10), pow(10, min(96, quiet) / 10))
        }
    }

    @Test("Full-scale sine has the assumed level; noise below the threshold in quiet counts as silence")
    func levels() throws {
        let size = BarkBands.frameSize(sampleRate: testRate)
        let bands = BarkBands(sampleRate: testRate, size: size, perBark: 2)
        var model = MaskingModel(bands: bands, size: size)
        for frame in SpectrumPairs(sound(sine(3000, amplitude: 1, frames: size)), sound(sine(3000, frames: size)), size: size) {
            model.advance(frame[0].first)
        }
        #expect(abs(Decibels.power(model.energies.reduce(0, +)) - 96) < 0.01)
        let hiss = sound(noise(decibels: -120, frames: 20_000, seed: 12))
        let measure = NoiseToMaskRatio(reference: sound([Float](repeating: 0, count: 20_000)), test: hiss)
        #expect(measure.total == nil)
        #expect(measure.maps[0].totals.allSatisfy { $0.isNaN })
    }

    @Test("Side noise is found in side, left and right, not in mid")
    func side() throws {
        let original = noise(decibels: -20, frames: 48_000, seed: 13)
        let hiss = noise(decibels: -30, frames: 48_000, seed: 14)
        let test = sound(sum(original, hiss), sum(original, hiss.map { -$0 }))
        let measure = NoiseToMaskRatio(reference: sound(original, original), test: test)
        #expect(measure.maps.map(\.signal) == [.channel(0), .channel(1), .mid, .side])
        let means = try measure.maps.map { try #require(measure.summary(of: $0)).mean }
        #expect(abs(means[0] + 4) < 2 && abs(means[1] + 4) < 2)
        #expect(means[2] == -30)
        // The middle masks the side in the treble, and hardly in the bass.
        #expect(means[3] > 5)
        let bands = try #require(measure.bandMeans(measure.maps[3]))
        #expect(bands[5] > 5 && bands[40] < 0)
    }
}
