// SPDX-License-Identifier: Apache-2.0

import Foundation
import PCMFiles
import SampleRateConversion
import TestSupport
import Testing

@Suite struct RateStreamTests {
    @Test(
        "Output with and without libsoxr has the same samples",
        arguments: [SampleRateConverterQuality.low, .medium, .high, .maximum], [false, true])
    func library(quality: SampleRateConverterQuality, usesDoubles: Bool) throws {
        // Below the pass band of each quality, faded in and out.
        let input = (0..<8000).map { frame in
            let fade = min(1, Double(min(frame, 7999 - frame)) / 2000)
            return fade * fade * (0.3 * sin(Double(frame) * 0.05) + 0.3 * sin(Double(frame) * 0.4))
        }
        for (from, to) in [(44_100, 48_000), (48_000, 44_100), (16_000, 44_100), (44_100, 44_101)] {
            let own = try run(input, from, to, quality, usesDoubles, usesLibrary: false)
            let other = try run(input, from, to, quality, usesDoubles, usesLibrary: true)
            #expect(abs(own.count - other.count) <= 1)
            let limit = usesDoubles && quality == .maximum ? 1e-6 : quality == .low || quality == .medium ? 1e-4 : 2e-6
            let difference = zip(own, other).map { abs($0 - $1) }.max() ?? 1
            #expect(difference < limit, "\(from) to \(to)")
        }
    }

    @Test(arguments: [1, 999]) func `Source rates below 1 kHz are not converted`(rate: Int) throws {
        func stream(_ from: Int, _ to: Int) throws -> RateStream {
            try RateStream(from: from, to: to, channelCount: 1, quality: .high, usesDoubles: false)
        }
        let error = #expect(throws: AudioFileError.self) { _ = try stream(rate, 44_100) }
        #expect(error?.code == .unsupportedSampleRates(from: rate, to: 44_100))
        #expect(error?.description.hasSuffix("sample rates below 1000 Hz are not converted") == true)
        _ = try stream(rate, rate)
        _ = try stream(1000, 44_100)
    }

    @Test("The qualities match the numbers of the C library") func qualities() {
        #expect(SampleRateConverterQuality.allCases.map(\.filterDesign) == RateFilterDesign.qualities)
    }

    private func run(
        _ input: [Double], _ from: Int, _ to: Int, _ quality: SampleRateConverterQuality, _ usesDoubles: Bool, usesLibrary: Bool
    ) throws -> [Double] {
        let stream = try RateStream(
            from: from, to: to, channelCount: 1, quality: quality, usesDoubles: usesDoubles, usesLibrary: usesLibrary)
        return usesDoubles ? try convert(input, stream) : try convert(input.map { Float($0) }, stream).map { Double($0) }
    }

    private func convert<Sample: BinaryFloatingPoint>(_ input: [Sample], _ stream: RateStream) throws -> [Sample] {
        var (source, target) = (input, [Sample](repeating: 0, count: 40_000))
        let capacity = target.count
        let count = try source.withUnsafeMutableBytes { source in
            try target.withUnsafeMutableBytes { target in
                let planes = RateStream.Planes(base: source.baseAddress, stride: 0, frameCount: input.count)
                let first = try stream.process(planes, into: .init(base: target.baseAddress, stride: 0, frameCount: capacity))
                let rest = target.baseAddress.map { $0 + first * MemoryLayout<Sample>.stride }
                return first + (try stream.process(nil, into: .init(base: rest, stride: 0, frameCount: capacity - first)))
            }
        }
        return Array(target[..<count])
    }
}
