// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import MemoryFiles
import SystemFilesParts

@testable import PCMFilesParts

/// Finds the length of a file of MPEG audio: no frame is shorter than its header, and none is counted that isn't in the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        guard case .counted(let frameCount) = try MPEGAudioLength(FileInput(UnsafeRawBufferPointer(start: start, count: count))) else {
            return 0
        }
        // A frame of layer 2 or 3 lasts longest.
        precondition(frameCount <= count / MPEGAudioHeader.byteCount * 1152)
    } catch {
        fatalError("\(error)")
    }
    return 0
}
