// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Passes samples to a function.
final class ClosurePCMSink: PCMSink {
    /// The name to show in messages.
    let name: String
    private let body: @Sendable (PCMBuffer) throws -> Void

    /// Creates a sink.
    init(name: String, body: @escaping @Sendable (PCMBuffer) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Does nothing.
    func begin(_ format: RecordingFormat) {}

    /// Calls the function.
    func append(_ buffer: PCMBuffer) throws { try body(buffer) }

    /// Does nothing.
    func finish() {}
}

/// Passes access units to a function.
final class ClosureAccessUnitSink: AccessUnitSink {
    /// The name to show in messages.
    let name: String
    private let body: @Sendable (AccessUnit) throws -> Void

    /// Creates a sink.
    init(name: String, body: @escaping @Sendable (AccessUnit) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Does nothing.
    func begin(_ format: RecordingFormat) {}

    /// Calls the function.
    func append(_ unit: AccessUnit) throws { try body(unit) }

    /// Does nothing.
    func finish(_ gaplessInfo: GaplessInfo?) {}
}
