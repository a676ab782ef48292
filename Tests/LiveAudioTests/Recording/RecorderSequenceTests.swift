// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioDevices
import AudioPrimitives
import LiveAudio
import TestSupport
import Testing

/// The asynchronous sequences of a recorder, ended in every way.
@Suite(.timeLimit(.minutes(5))) struct RecorderSequenceTests {
    typealias Ending = SequenceMatrix.Ending
    typealias Reader = SequenceMatrix.Reader

    /// A recorder that a test releases, with its source.
    private struct Recording: Sendable {
        let source = GatedSource()
        let owner: Owner<Recorder>

        init() { owner = Owner(Recorder(source: .program(source))) }

        /// Describes a sequence of the recording.
        func subject<Element: Sendable>(
            keepsRecorder: Bool, toggles: Bool = false,
            _ read: @escaping @Sendable (@escaping @Sendable (Element) async -> Bool) async throws -> Void
        ) -> SequenceMatrix.Subject<Element> {
            SequenceMatrix.Subject(
                keepsSource: keepsRecorder, read: read,
                begin: { [owner, source] in
                    if !keepsRecorder { try await owner.current?.start() }
                    await source.deliver(9600)
                },
                produce: { [owner, source] in
                    await source.deliver(60 * 1024)
                    // More than a stream buffers.
                    if toggles { for _ in 0..<1500 { owner.current?.isPaused.toggle() } }
                },
                stop: { [owner] in await owner.current?.stop() }, drop: { [owner] in owner.release() })
        }

        /// Expects that a recording ends when nothing retains it.
        func expectEnd(_ weak: WeakRecorder) async {
            owner.release()
            source.end()
            #expect(await Wait.until { weak.recorder == nil })
        }
    }

    /// A weak reference to a recorder.
    private final class WeakRecorder: @unchecked Sendable {
        private(set) weak var recorder: Recorder?
        init(_ recorder: Recorder?) { self.recorder = recorder }
    }

    @Test(arguments: Ending.allCases, Reader.allCases)
    func `Access units end, and a stop loses none`(ending: Ending, reader: Reader) async throws {
        let recording = Recording()
        let weak = WeakRecorder(recording.owner.current)
        let subject = recording.subject(keepsRecorder: true) { [owner = recording.owner] (body: @Sendable (AccessUnit) async -> Bool) in
            guard let accessUnits = owner.current?.accessUnits else { return }
            for try await accessUnit in accessUnits { guard await body(accessUnit) else { return } }
        }
        let found = try await SequenceMatrix.elements(of: subject, ending, reader)
        if ending == .stop || ending == .stopInLoop && reader != .absent {
            #expect(found.count == recording.owner.current?.summary.accessUnitCount && found.count > 4)
        }
        await recording.expectEnd(weak)
    }

    @Test(arguments: Ending.allCases, Reader.allCases)
    func `Bytes end, and a stop loses none`(ending: Ending, reader: Reader) async throws {
        let recording = Recording()
        let weak = WeakRecorder(recording.owner.current)
        let subject = recording.subject(keepsRecorder: true) { [owner = recording.owner] (body: @Sendable ([UInt8]) async -> Bool) in
            guard let frames = owner.current?.bytes(in: .adts) else { return }
            for try await frame in frames { guard await body(frame) else { return } }
        }
        let found = try await SequenceMatrix.elements(of: subject, ending, reader)
        if ending == .stop || ending == .stopInLoop && reader != .absent {
            #expect(found.count == recording.owner.current?.summary.accessUnitCount && found.count > 4)
        }
        await recording.expectEnd(weak)
    }

    @Test(arguments: Ending.allCases, Reader.allCases)
    func `Speech ends, and a stop loses none`(ending: Ending, reader: Reader) async throws {
        let recording = Recording()
        let weak = WeakRecorder(recording.owner.current)
        let subject = recording.subject(keepsRecorder: true) { [owner = recording.owner] (body: @Sendable (SpeechBlock) async -> Bool) in
            guard let blocks = owner.current?.speech(blockDuration: .milliseconds(20)) else { return }
            for try await block in blocks { guard await body(block) else { return } }
        }
        let found = try await SequenceMatrix.elements(of: subject, ending, reader)
        if ending == .stop || ending == .stopInLoop && reader != .absent {
            let frameCount = recording.owner.current?.summary.frameCount ?? 0
            #expect(found.count == (frameCount + 959) / 960 && found.count > 4)
        }
        await recording.expectEnd(weak)
    }

    @Test(arguments: Ending.allCases, Reader.allCases)
    func `Levels end with the recording`(ending: Ending, reader: Reader) async throws {
        let recording = Recording()
        let weak = WeakRecorder(recording.owner.current)
        let levels = try #require(recording.owner.current?.levels(every: .milliseconds(10)))
        let subject = recording.subject(keepsRecorder: false) { (body: @Sendable (AudioLevels) async -> Bool) in
            for await level in levels { guard await body(level) else { return } }
        }
        #expect(try await !SequenceMatrix.elements(of: subject, ending, reader).isEmpty)
        await recording.expectEnd(weak)
    }

    @Test(arguments: Ending.allCases, Reader.allCases)
    func `Events end with the recording, with its summary last`(ending: Ending, reader: Reader) async throws {
        let recording = Recording()
        let weak = WeakRecorder(recording.owner.current)
        let events = try #require(recording.owner.current?.events)
        let subject = recording.subject(keepsRecorder: false, toggles: true) { (body: @Sendable (RecorderEvent) async -> Bool) in
            for await event in events { guard await body(event) else { return } }
        }
        let found = try await SequenceMatrix.elements(of: subject, ending, reader)
        if ending != .cancellation, ending != .stopInLoop || reader != .absent {
            guard case .finished? = found.last else {
                Issue.record("\(String(describing: found.last))")
                return
            }
        }
        await recording.expectEnd(weak)
    }

    @Test func `Streams of a recorder released before its start end`() async throws {
        var recorder: Recorder? = Recorder(source: .program(GatedSource()))
        let (events, levels) = try #require(recorder.map { ($0.events, $0.levels()) })
        let reader = Task {
            for await _ in events {}
            for await _ in levels {}
        }
        try await Task.sleep(for: .milliseconds(20))
        recorder = nil
        await reader.value
    }
}
