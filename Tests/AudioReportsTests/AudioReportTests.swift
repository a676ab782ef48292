// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles
import AudioReports
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct AudioReportTests {
    @Test func `The page about bytes in memory is that of the file`() async throws {
        let folder = try TemporaryFolder()
        let paths = try ReportSignal.sweep(seconds: 2).encode(folder, to: "a.m4a")
        let names = Mutex<[String]>([])
        let page = try await AudioReport(of: [.file(paths.coded)]) { name in names.withLock { $0.append(name) } }.html
        #expect(names.withLock { $0 } == [paths.coded])
        let ofBytes = try await AudioReport(of: [.bytes(bytes(ofFile: paths.coded), name: "a.m4a")]).html
        #expect(ofBytes == page)
    }

    @Test func `A report whose task is cancelled throws that`() async throws {
        let folder = try TemporaryFolder()
        let paths = try ReportSignal.sweep(seconds: 2).encode(folder, to: "a.m4a")
        let task = Task {
            // At the second file: the reference has been read then.
            let calls = Mutex(0)
            var configuration = AudioReport.Configuration()
            configuration.reference = .file(paths.coded)
            let gate = DispatchSemaphore(value: 0)
            return try await withThrowingTaskGroup(of: AudioReport.self) { group in
                let (starts, start) = AsyncStream.makeStream(of: Void.self)
                group.addTask { [configuration] in
                    try await AudioReport(of: [.file(paths.coded)], configuration: configuration) { _ in
                        guard
                            calls.withLock({
                                $0 += 1; return $0
                            }) == 2
                        else { return }
                        start.yield()
                        gate.wait()
                    }
                }
                for await _ in starts { break }
                group.cancelAll()
                gate.signal()
                return try await group.next()
            }
        }
        let error = await #expect(throws: AudioFileError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
    }
}
