// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A sink that passes samples or access units to a closure.
final class ClosureSink<Item>: Sendable {
    let name: String
    private let body: @Sendable (Item) throws -> Void

    init(name: String, body: @escaping @Sendable (Item) throws -> Void) {
        self.name = name
        self.body = body
    }

    func begin(_ format: RecordingFormat) {}

    func append(_ item: Item) throws { try body(item) }

    func finish() {}

    func finish(_ gaplessInfo: GaplessInfo?) {}
}

extension ClosureSink: PCMSink where Item == PCMBuffer {}
extension ClosureSink: AccessUnitSink where Item == AccessUnit {}
