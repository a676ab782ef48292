// SPDX-License-Identifier: Apache-2.0

import PCMFiles
import SystemFiles

extension FuzzTarget {
    /// Finds the length of an MPEG audio file: no frame is shorter than its header, and only frames within the file are counted.
    static let mpegAudio = FuzzTarget("mpeg-audio") { bytes in
        do {
            guard let start = try MPEGAudioStart(leading: FileInput(bytes)) ?? MPEGAudioStart(searching: FileInput(bytes)),
                case .counted(let frameCount) = try MPEGAudioLength(FileInput(bytes), start)
            else { return }
            // A frame of layer 2 or 3 lasts longest.
            precondition(frameCount <= bytes.count / MPEGAudioHeader.byteCount * 1152)
        } catch {
            fatalError("\(error)")
        }
    }
}
