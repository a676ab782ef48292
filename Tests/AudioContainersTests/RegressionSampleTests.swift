// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import Foundation
import MPEG4Audio
import Testing

@Suite struct RegressionSampleTests {
    static let samples: [URL] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "RegressionSamples")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension != "md" }.sorted { $0.path < $1.path }
    }()

    @Test("Every reader reads or rejects every regression sample", arguments: samples)
    func sample(url: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: url))
        #expect(adtsEvents(bytes, chunks: [7]).covers(bytes.count))
        #expect(streamEvents(of: LOASParser(), bytes, chunks: [5]).covers(bytes.count))
        let events = streamEvents(of: TransportStreamParser(), bytes, chunks: [5])
        #expect(events == streamEvents(of: TransportStreamParser(), bytes))
        _ = try? AudioSpecificConfig(parsing: bytes)
        _ = try? RawBlockReader(adif: MemorySource(bytes))
        _ = ContainerProbe.format(of: bytes, isWhole: true)
        if var file = try? CAFReader(MemorySource(bytes)) { while try file.nextEvent() != nil {} }
        #expect(streamEvents(of: OggOpusParser(), bytes, chunks: [5]) == streamEvents(of: OggOpusParser(), bytes))
        if var ogg = try? OggOpusReader(MemorySource(bytes)) {
            while try ogg.nextEvent() != nil {}
            // The target frame used in fuzzing.
            _ = try ogg.seek(toFrame: bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) })
            while try ogg.nextEvent() != nil {}
        }
        guard var movie = try? MP4Reader(MemorySource(bytes)) else { return }
        while let event = try movie.nextEvent() {
            if case .accessUnit(let accessUnit) = event { #expect(accessUnit.byteRange.upperBound <= bytes.count) }
        }
    }

    @Test("Samples exist")
    func presence() { #expect(Self.samples.count >= 1) }
}
