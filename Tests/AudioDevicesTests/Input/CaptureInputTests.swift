// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import CAllocationCounter
import Testing

@Suite struct CaptureInputTests {
    @Test("Writing audio in a backend's callback does not allocate", .enabled(if: linnet_allocation_count() >= 0))
    func noAllocation() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend) { $0.queueDuration = .seconds(10) }
        try await capture.start { _ in }
        let input = try #require(backend.input)
        let bytes = [UInt8](repeating: 1, count: 960)
        input.write(bytes.span.bytes, hostTime: 0)
        let before = linnet_allocation_count()
        for index in 0..<500 {
            input.write(bytes.span.bytes, hostTime: Int64(index))
            if index % 50 == 10 {
                input.writeBreak()
                input.writeGap(byteCount: 2, hostTime: 0)
            }
        }
        #expect(linnet_allocation_count() == before)
        await capture.stop()
    }
}
