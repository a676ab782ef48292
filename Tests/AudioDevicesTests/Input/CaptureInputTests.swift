// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import CAllocationCounter
import Testing

@Suite struct CaptureInputTests {
    @Test("The way of sound through a backend's callback allocates nothing", .enabled(if: linnet_allocation_count() >= 0))
    func noAllocation() throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend) { $0.queueDuration = 10 }
        try capture.start { _ in }
        let input = try #require(backend.input)
        let bytes = [UInt8](repeating: 1, count: 960)
        bytes.withUnsafeBytes { input.write($0, hostTime: 0) }
        let before = linnet_allocation_count()
        bytes.withUnsafeBytes { bytes in
            for index in 0..<500 {
                input.write(bytes, hostTime: Int64(index))
                if index % 50 == 10 {
                    input.writeBreak()
                    input.writeHole(byteCount: 2, hostTime: 0)
                }
            }
        }
        #expect(linnet_allocation_count() == before)
        capture.stop()
    }
}
