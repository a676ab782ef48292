// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import CPCMLibraries
internal import SystemFiles

/// Finds the next intact frame after damage.
///
/// libFLAC continues where it detected the damage, which may be inside a later frame, and loses that frame as well. This search covers all
/// bytes from the damaged frame.
extension FLACDecoder {
    /// The maximum number of frames to try after damage.
    ///
    /// Then libFLAC searches.
    private static let trialLimit = 32

    /// The number of bytes to search at a time.
    private static let windowSize = 65_536

    /// Decodes the first intact frame after damage, if any.
    ///
    /// After many attempts, decodes the frame that libFLAC finds.
    ///
    /// - Parameter start: The first offset to search.
    func recover(from start: Int) throws(SystemFileError) {
        var offset = start
        for _ in 0..<Self.trialLimit {
            guard let header = try nextHeader(from: offset), try !decodeFrame(at: header) else { return }
            offset = header + 1
        }
    }

    /// Returns the offset of the next frame header, if any.
    private func nextHeader(from start: Int) throws(SystemFileError) -> Int? {
        guard let info else { return nil }
        var offset = start
        while true {
            let window = try input.bytes(in: input.startOffset + offset..<input.startOffset + offset + Self.windowSize)
            for index in window.indices where window[index] == 0xFF {
                if FLACFrameHeader(window[index...])?.channelCount == Int(info.channels) { return offset + index }
            }
            guard window.count == Self.windowSize else { return nil }
            // A header may extend past the end of the window.
            offset += Self.windowSize - FLACFrameHeader.maximumByteCount
        }
    }
}
#endif
