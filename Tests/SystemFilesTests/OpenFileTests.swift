// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import SystemFiles
import TestSupport
import Testing

@Suite struct OpenFileTests {
    @Test("Closes an owned descriptor once, by close or the last reference, and a borrowed one never")
    func closing() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "a")
        let first = try OpenFile(reading: path)
        let number = first.descriptor
        try first.close()
        // The number is free, so the next file gets it. Closing the first file again must leave that file open.
        let second = open(path, O_RDONLY)
        defer { close(second) }
        try first.close()
        if second == number { #expect(fcntl(second, F_GETFD) >= 0) }
        do { _ = OpenFile(borrowing: second) }
        #expect(fcntl(second, F_GETFD) >= 0)
    }

    @Test("Writes all bytes, also to a slow pipe, and overwrites in place")
    func writing() throws {
        let folder = try TemporaryFolder()
        let output = try FileOutput(path: folder.path("a"), visibility: .immediately)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        try output.write(bytes)
        try output.overwrite([9, 9], at: 100)
        try output.write([5])
        #expect(output.byteCount == 300_001 && output.canOverwrite)
        try output.commit()
        var expected = bytes + [5]
        expected.replaceSubrange(100..<102, with: [9, 9])
        #expect(try FileInput(path: folder.path("a")).readAll() == expected)

        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reader = try FileInput(OpenFile(owning: ends[0]), path: "pipe")
        let writer = OpenFile(owning: ends[1])
        #expect(!writer.canOverwrite && writer.offset == nil)
        Thread.detachNewThread {
            try? writer.write(bytes[...])
            try? writer.close()
        }
        #expect(try reader.readAll() == bytes)
    }

    @Test("A file visible at once is created exclusively unless overwriting is allowed")
    func immediateVisibility() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "a")
        #expect(throws: SystemFileError.exists) { try FileOutput(path: path, visibility: .immediately) }
        let output = try FileOutput(path: path, overwrites: true, visibility: .immediately)
        #expect(try FileInput(path: path).readAll().isEmpty)
        try output.write([7])
        output.discard()
        // The recorded bytes remain.
        #expect(try FileInput(path: path).readAll() == [7])
    }

    @Test("System errors keep their errno")
    func failures() throws {
        let full = try FileOutput(path: "/dev/full")
        #expect(throws: SystemFileError.cannotWrite(code: ENOSPC)) { try full.write([1]) }
        #expect(throws: SystemFileError.isDirectory) { try FileOutput(path: "/tmp", overwrites: true) }
    }

    @Test("An output ends with its first failed write, also if later writes could succeed")
    func failedOutput() throws {
        signal(SIGPIPE, SIG_IGN)
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        let output = try FileOutput(path: path)
        close(reader)
        #expect(throws: SystemFileError.cannotWrite(code: EPIPE)) { try output.write([1]) }
        let second = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(second) }
        #expect(throws: SystemFileError.cannotWrite(code: EPIPE)) { try output.write([2]) }
        #expect(output.byteCount == 0)
    }

    @Test("A closed file does not access a new file with its old descriptor")
    func closedFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "a")
        let file = OpenFile(owning: open(path, O_RDWR | O_CLOEXEC))
        try file.close()
        #expect(file.descriptor == -1)
        #expect(throws: SystemFileError.cannotWrite(code: EBADF)) { try file.write([7][...]) }
        #expect(throws: SystemFileError.cannotWrite(code: EBADF)) { try file.overwrite([7], at: 0) }
        #expect(throws: SystemFileError.cannotRead(code: EBADF)) { try file.bytes(in: 0..<1) }
        #expect(file.offset == nil)
        // The second call closes nothing.
        try file.close()
    }

    @Test("Deletes files visible at once only on discard")
    func discardedImmediately() throws {
        let folder = try TemporaryFolder()
        for name in ["kept", "discarded", "complete"] {
            let output = try FileOutput(path: folder.path(name), visibility: .immediately)
            try output.write([1])
            if name == "complete" { try output.commit() }
            if name != "kept" { output.discard() }
        }
        #expect(try folder.contents == ["complete", "kept"])
    }

    @Test("A wait interrupted by a signal returns false")
    func interruptedWait() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reader = OpenFile(owning: ends[0])
        let writer = OpenFile(owning: ends[1])
        // Without a handler, the system would restart the call.
        let old = signal(SIGURG) { _ in }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGURG)
        var blocked = sigset_t()
        pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
        let thread = pthread_self()
        let isDone = Atomic<Bool>(false)
        let hasEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isDone.load(ordering: .relaxed) {
                usleep(1000)
                pthread_kill(thread, SIGURG)
            }
            hasEnded.signal()
        }
        let hasFound = reader.waitUntilReadable(milliseconds: 60_000)
        isDone.store(true, ordering: .relaxed)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        hasEnded.wait()
        signal(SIGURG, old)
        #expect(!hasFound)
        try writer.write([1][...])
        #expect(reader.waitUntilReadable(milliseconds: -1))
    }

    @Test("A lock ends when the file is closed, even if its descriptor was duplicated")
    func locking() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1], to: "a")
        let first = try OpenFile(reading: path)
        let copy = dup(first.descriptor)
        defer { close(copy) }
        #expect(first.lock())
        #expect(try !OpenFile(reading: path).lock())
        try first.close()
        #expect(try OpenFile(reading: path).lock())
    }
}
