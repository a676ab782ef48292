// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Dispatch
import Foundation
import PCMFiles
import Synchronization
import SystemFiles
import TestSupport
import Testing

@Suite struct DescriptorOwnershipTests {
    /// Opens and closes descriptors until `isDone`, and counts those that another thread has closed in between.
    private static func countStolenDescriptors(_ path: String, until isDone: () -> Bool) -> Int {
        var count = 0
        while !isDone() {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            sched_yield()
            if close(descriptor) != 0 { count += 1 }
        }
        return count
    }

    @Test("Unsupported files and formats do not close descriptors of other threads")
    func failedOpening() throws {
        let folder = try TemporaryFolder()
        let garbage = try folder.write((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 3) }, to: "garbage.bin")
        let isDone = Atomic<Bool>(false)
        let stolen = Atomic<Int>(0)
        let others = DispatchGroup()
        for _ in 0..<3 {
            Thread.detachNewThread {
                others.enter()
                let count = Self.countStolenDescriptors(garbage) { isDone.load(ordering: .relaxed) }
                stolen.add(count, ordering: .relaxed)
                others.leave()
            }
        }
        for index in 0..<500 {
            #expect(throws: AudioFileError.self) { try PCMFileReader(path: garbage) }
            // FLAC does not support this channel count.
            let output = open(folder.path("\(index).flac"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            #expect(throws: AudioFileError.self) {
                let format = PCMOutputFormat(.flac, sampleRate: 44_100, channelCount: 9)
                return try PCMFileWriter(descriptor: output, name: "x.flac", format: format)
            }
            // The writer's caller must be the only one to close it.
            if close(output) != 0 { stolen.add(1, ordering: .relaxed) }
        }
        isDone.store(true, ordering: .relaxed)
        others.wait()
        #expect(stolen.load(ordering: .relaxed) == 0)
    }

    @Test("A discarded file does not access the file that reuses its descriptor", arguments: [AudioFileFormat.aiff, .caf, .flac])
    func abandonedFile(file: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "other")
        let output = try FileOutput(path: folder.path("a"))
        let number = output.file.descriptor
        let format = PCMOutputFormat(file, sampleRate: 44_100, channelCount: 1)
        var writer: PCMFileWriter? = try PCMFileWriter(output.file, path: "a", format: format)
        try writer?.append(PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 20_000))
        output.discard()
        // The system returns the lowest free number, unless another test takes it.
        let other = OpenFile(owning: open(path, O_RDWR | O_CLOEXEC))
        writer = nil
        #expect(try bytes(ofFile: path) == [1, 2, 3], "\(number), \(other.descriptor)")
    }
}
