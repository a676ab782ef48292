// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Synchronization

/// Ends an asynchronous sequence in every way with its reader in every state, with a time limit.
public enum SequenceMatrix {
    /// Who ends the sequence, and how.
    public enum Ending: String, CaseIterable, Sendable {
        /// The reader stops the source in its loop.
        case stopInLoop
        /// Another task stops the source.
        case stop
        /// The reader's task is cancelled.
        case cancellation
        /// The program releases the source. If the sequence keeps the source alive, the reader leaves its loop.
        case drop
    }

    /// The reader's state at the end.
    public enum Reader: String, CaseIterable, Sendable {
        /// It has read everything and waits.
        case upToDate
        /// It has most elements still to read, and continues to read.
        case behind
        /// It does not read until a stop has returned. After its own stop it never reads.
        case absent
    }

    /// A sequence and the functions that end it.
    public struct Subject<Element: Sendable>: Sendable {
        let read: @Sendable (@escaping @Sendable (Element) async -> Bool) async throws -> Void
        let begin: @Sendable () async throws -> Void
        let produce: @Sendable () async throws -> Void
        let stop: @Sendable () async -> Void
        let drop: @Sendable () -> Void
        let keepsSource: Bool

        /// Creates a subject.
        ///
        /// - Parameters:
        ///   - keepsSource: Whether the sequence keeps its source alive.
        ///   - read: Calls a function with each element until the end of the sequence or until the function returns false.
        ///   - begin: Makes the source produce a first element.
        ///   - produce: Makes the source produce more elements, if any are left.
        ///   - stop: Stops the source.
        ///   - drop: Releases the source.
        public init(
            keepsSource: Bool, read: @escaping @Sendable (@escaping @Sendable (Element) async -> Bool) async throws -> Void,
            begin: @escaping @Sendable () async throws -> Void, produce: @escaping @Sendable () async throws -> Void,
            stop: @escaping @Sendable () async -> Void, drop: @escaping @Sendable () -> Void
        ) {
            self.keepsSource = keepsSource
            self.read = read
            self.begin = begin
            self.produce = produce
            self.stop = stop
            self.drop = drop
        }
    }

    /// A sequence whose reader or stop did not return.
    public struct Hang: Error, CustomStringConvertible {
        let ending: Ending
        let reader: Reader
        /// A description of the elements and the case.
        public var description: String { "the sequence hangs: \(ending), reader \(reader)" }
    }

    /// Returns the elements that the reader gets in one case.
    ///
    /// - Throws: ``Hang`` after the time limit; errors of the sequence.
    public static func elements<Element: Sendable>(
        of subject: Subject<Element>, _ ending: Ending, _ reader: Reader, limit: Duration = .seconds(30)
    ) async throws -> [Element] {
        let outcome = Promise<Result<[Element], any Error>>()
        let work = Task {
            do {
                outcome.fulfill(.success(try await run(subject, ending, reader)))
            } catch {
                outcome.fulfill(.failure(error))
            }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            outcome.fulfill(.failure(Hang(ending: ending, reader: reader)))
            work.cancel()
        }
        defer { timer.cancel() }
        return try await outcome.wait().get()
    }

    private static func run<Element: Sendable>(
        _ subject: Subject<Element>, _ ending: Ending, _ reader: Reader
    ) async throws -> [Element] {
        let elements = Elements<Element>()
        let (started, gate) = (Promise<Void>(), Promise<Void>())
        let waits = reader != .upToDate || ending == .stopInLoop
        let task = Task {
            defer { started.fulfill(()) }
            try await subject.read { element in
                guard elements.append(element) == 1 else { return true }
                started.fulfill(())
                if waits { await gate.wait() }
                if ending == .stopInLoop {
                    await subject.stop()
                    return reader != .absent
                }
                return ending != .drop || !subject.keepsSource
            }
        }
        try await subject.begin()
        await started.wait()
        if reader != .upToDate || ending == .stop { try await subject.produce() }
        switch (ending, reader) {
        case (.stopInLoop, _): break
        case (.stop, .absent): await subject.stop()
        case (.stop, _):
            gate.fulfill(())
            await subject.stop()
        case (.cancellation, _): task.cancel()
        case (.drop, _): subject.drop()
        }
        gate.fulfill(())
        try await task.value
        return elements.all
    }

    /// The elements read so far.
    private final class Elements<Element: Sendable>: Sendable {
        private let values = Mutex<[Element]>([])

        var all: [Element] { values.withLock { $0 } }

        /// Appends an element and returns the count.
        func append(_ element: Element) -> Int {
            values.withLock {
                $0.append(element)
                return $0.count
            }
        }
    }
}

/// Owns a source that a test releases.
public final class Owner<Value: Sendable & AnyObject>: Sendable {
    private let value: Mutex<Value?>

    /// Creates an owner of a value.
    public init(_ value: Value) { self.value = Mutex(value) }

    /// The value; `nil` after its release.
    public var current: Value? { value.withLock { $0 } }

    /// Releases the value.
    public func release() { value.withLock { $0 = nil } }
}
