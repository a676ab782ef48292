// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioReports
import PCMFiles
import Synchronization
import TestSupport
import Testing

@Suite struct AudioReportTests {
    @Test func `Bytes in memory and the file produce the same page`() async throws {
        let folder = try TemporaryFolder()
        let paths = try ReportSignal.sweep(seconds: 2).encode(folder, to: "a.m4a")
        let names = Mutex<[String]>([])
        let page = try await AudioReport.make(of: [.file(paths.coded)]) { name in names.withLock { $0.append(name) } }.html
        #expect(names.withLock { $0 } == [paths.coded])
        let ofBytes = try await AudioReport.make(of: [.bytes(bytes(ofFile: paths.coded), name: "a.m4a")]).html
        #expect(ofBytes == page)
    }

    @Test func `Cancelled task throws`() async throws {
        let folder = try TemporaryFolder()
        let paths = try ReportSignal.sweep(seconds: 2).encode(folder, to: "a.m4a")
        for hasReference in [false, true] {
            let error = await TaskCancellation.error { progress in
                var configuration = AudioReport.Configuration()
                if hasReference { configuration.reference = .file(paths.coded) }
                return try await AudioReport.make(of: [.file(paths.coded)], configuration: configuration) { _ in progress() }
            }
            #expect((error as? AudioFileError)?.code == .cancelled)
        }
    }

    @Test func `A file may be longer or shorter than its reference`() throws {
        let folder = try TemporaryFolder()
        // ADTS keeps priming and padding. The columns of such short files depend on their length.
        for seconds in [0.3, 0.5, 0.7] {
            let paths = try ReportSignal.sweep(seconds: seconds).encode(folder, to: "\(seconds).aac")
            var configuration = AudioReport.Configuration()
            for (reference, test) in [(paths.wave, paths.coded), (paths.coded, paths.wave)] {
                configuration.reference = .file(reference)
                let report = try AudioReport(analyzing: [.file(test)], configuration: configuration)
                #expect(report.comparisonProblems.isEmpty && report.html.contains("Noise to mask"))
            }
        }
    }
}
