// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import CPCMLibraries
internal import SystemFiles

/// The search for the next intact frame after damage.
///
/// The library goes on where it noticed the damage, which may be in the middle of a later frame, and loses that too. Here all bytes from the
/// damaged frame on are searched.
extension FLACDecoder {
    /// The frames that are tried after damage; then the library searches.
    private static let trialLimit = 32

    /// Bytes that are searched at a time.
    private static let windowSize = 65_536

    /// Decodes the first intact frame after damage, if there is one; after many trials what the library finds.
    ///
    /// - Parameter start: The first offset at which it may begin.
    func recover(from start: Int) throws(SystemFileError) {
        var offset = start
        for _ in 0..<Self.trialLimit {
            guard let header = try nextHeader(from: offset), try !decodeFrame(at: header) else { return }
            offset = header + 1
        }
    }

    /// Returns the offset of the next header of a frame; nil if there is none.
    private func nextHeader(from start: Int) throws(SystemFileError) -> Int? {
        guard let info else { return nil }
        var offset = start
        while true {
            let window = try input.bytes(in: input.startOffset + offset..<input.startOffset + offset + Self.windowSize)
            for index in window.indices where window[index] == 0xFF {
                if FLACFrameHeader(window[index...])?.channelCount == Int(info.channels) { return offset + index }
            }
            guard window.count == Self.windowSize else { return nil }
            // A header may lie across the end of the window.
            offset += Self.windowSize - FLACFrameHeader.largestByteCount
        }
    }
}
#endif
