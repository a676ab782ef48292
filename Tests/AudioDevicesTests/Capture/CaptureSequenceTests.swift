// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import TestSupport
import Testing

/// The asynchronous sequences of a capture, ended in every way.
@Suite(.timeLimit(.minutes(5))) struct CaptureSequenceTests {
    typealias Ending = SequenceMatrix.Ending
    typealias Reader = SequenceMatrix.Reader

    @Test(arguments: Ending.allCases, Reader.allCases)
    func `Buffers end, the capture stops, and a stop loses nothing`(ending: Ending, reader: Reader) async throws {
        let backend = ScriptedBackend()
        let owner = Owner(AudioCapture.scripted(backend) { $0.queueDuration = .seconds(60) })
        let subject = SequenceMatrix.Subject<[Int16]>(
            keepsSource: true,
            read: { body in
                guard let buffers = owner.current?.buffers else { return }
                for try await buffer in buffers {
                    guard await body(buffer.channels[0].map { Int16($0 * 32_768) }) else { return }
                }
            },
            begin: {
                #expect(await Wait.until { backend.input != nil && owner.current?.state == .running })
                backend.write(frames: 480)
            },
            // Many more buffers than the queue's limit, so that the worker waits for the reader.
            produce: { for _ in 0..<200 { backend.write(frames: 480) } },
            stop: { await owner.current?.stop() }, drop: { owner.release() })
        let found = try await SequenceMatrix.elements(of: subject, ending, reader).flatMap(\.self)
        #expect(await Wait.until { backend.starts == 1 && backend.stops == 1 })
        let isWhole = ending == .stop || ending == .stopInLoop && reader != .absent
        if isWhole {
            let frames = ending == .stopInLoop && reader == .upToDate ? 480 : 480 * 201
            #expect(CountedSignal.verify(mono: found) == .init(frames: frames))
        } else {
            #expect(found.isEmpty || CountedSignal.verify(mono: found) == .init(frames: found.count))
        }
    }

    @Test func `Cancelled reader that keeps its iterator stops the capture`() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let reader = Task {
            var iterator = capture.buffers.makeAsyncIterator()
            while try await iterator.next() != nil {}
            // The iterator is still alive here.
            let isStopped = await Wait.until { capture.state == .stopped }
            _ = try await iterator.next()
            return isStopped
        }
        #expect(await Wait.until { capture.state == .running })
        reader.cancel()
        #expect(try await reader.value)
    }

    @Test(arguments: Ending.allCases, Reader.allCases)
    func `Events end with the capture, and the last ones arrive`(ending: Ending, reader: Reader) async throws {
        let backend = ScriptedBackend()
        let owner = Owner(AudioCapture.scripted(backend))
        let events = try #require(owner.current?.events)
        let subject = SequenceMatrix.Subject<CaptureEvent>(
            keepsSource: false, read: { body in for await event in events { guard await body(event) else { return } } },
            begin: { try await owner.current?.start { _ in } },
            // More than the stream buffers.
            produce: { for _ in 0..<1500 { owner.current?.isMuted.toggle() } },
            stop: {
                // A stopped capture may start again, so its events end only when it is released.
                await owner.current?.stop()
                owner.release()
            }, drop: { owner.release() })
        let found = try await SequenceMatrix.elements(of: subject, ending, reader)
        owner.release()
        #expect(await Wait.until { backend.starts == 1 && backend.stops == 1 })
        if ending == .stop || ending == .stopInLoop && reader != .absent { #expect(found.last == .stopped) }
    }
}
