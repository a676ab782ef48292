// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Passes samples or access units to a function.
final class ClosureSink<Item>: Sendable {
    /// The name to show in messages.
    let name: String
    private let body: @Sendable (Item) throws -> Void

    /// Creates a sink.
    init(name: String, body: @escaping @Sendable (Item) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Does nothing.
    func begin(_ format: RecordingFormat) {}

    /// Calls the function.
    func append(_ item: Item) throws { try body(item) }

    /// Does nothing.
    func finish() {}

    /// Does nothing.
    func finish(_ gaplessInfo: GaplessInfo?) {}
}

extension ClosureSink: PCMSink where Item == PCMBuffer {}
extension ClosureSink: AccessUnitSink where Item == AccessUnit {}
