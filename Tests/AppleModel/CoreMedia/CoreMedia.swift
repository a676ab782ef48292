// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct CMTime: Sendable {
    public var value: Int64
    public var timescale: Int32
    public init(value: Int64, timescale: Int32) {
        self.value = value
        self.timescale = timescale
    }
    public var isNumeric: Bool { timescale > 0 }
}
