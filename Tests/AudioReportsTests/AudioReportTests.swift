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
}
