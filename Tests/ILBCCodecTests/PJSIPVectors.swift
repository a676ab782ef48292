// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation

/// Streams encoded and decoded by PJSIP, in `Tests/Vectors`.
enum PJSIPVectors {
    static func bytes(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appending(path: "Vectors/\(name)")))
    }

    static func frames(mode: ILBCMode) throws -> [[UInt8]] {
        try ILBCReader(MemorySource(bytes("pjsip-\(mode.milliseconds).lbc"))).map(\.accessUnit.payload)
    }
}
