// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers

extension DABParser {
    /// Whether the first bytes of a stream contain superframes and do not start like ADTS frames.
    ///
    /// - Parameter isWhole: Whether `front` is the whole stream.
    package static func recognizes(_ front: [UInt8], isWhole: Bool) -> Bool {
        guard front.count >= ReedSolomonCode.byteCount, front[0] != 0xFF || front[1] & 0xF0 != 0xF0 else { return false }
        var parser = DABParser()
        parser.append(front)
        if isWhole { parser.finish() }
        while let event = parser.nextEvent() {
            if case .accessUnit = event { return true }
        }
        return false
    }
}
