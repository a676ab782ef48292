// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// Hands a recording to a closure, to be sent or looked at.
public final class ClosureSink: RecorderSink {
    private let body: @Sendable (RecordedItem) throws -> Void

    /// What messages call it.
    public let name: String

    /// Whether it takes access units; else it takes samples.
    public let takesAccessUnits: Bool

    /// Makes a sink; an error that `body` throws ends it.
    public init(name: String = "closure", takesAccessUnits: Bool = true, _ body: @escaping @Sendable (RecordedItem) throws -> Void) {
        self.name = name
        self.takesAccessUnits = takesAccessUnits
        self.body = body
    }

    /// Does nothing.
    public func begin(_ format: RecordingFormat) {}

    /// Calls the closure.
    public func append(_ item: RecordedItem) throws { try body(item) }

    /// Does nothing.
    public func finish(_ gaplessInfo: GaplessInfo?) {}
}
