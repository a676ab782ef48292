// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import JSONText
internal import PCMFiles
internal import TransformEncoding

/// The state for resuming a join at a segment boundary.
package struct JoinCheckpoint {
    let encoder: EncoderCheckpoint
    /// The files that were read to their end since the previous checkpoint.
    package let finished: [JoinedPCMSource.FinishedPart]

    /// The encoder state's size: five 8-byte numbers.
    private static let encoderLength = 40

    /// An upper bound on the frames of a file.
    static let maximumPartLength: UInt64 = 1 << 40

    init(encoder: EncoderCheckpoint, finished: [JoinedPCMSource.FinishedPart]) {
        self.encoder = encoder
        self.finished = finished
    }

    /// The serialized checkpoint: the encoder's numbers, then for each file its frame count, the size of its warnings as JSON, and that
    /// JSON.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let numbers = [
            UInt64(encoder.accessUnitIndex), UInt64(encoder.log2NoiseScale.bitPattern), encoder.bitSurplus.bitPattern,
            UInt64(encoder.accountedFrames),
            UInt64(encoder.log2BitsPerEntropy.bitPattern),
        ]
        for number in numbers { bytes.append(littleEndian: number, byteCount: 8) }
        for part in finished {
            let warnings = part.warnings.isEmpty ? [] : Array(JSONValue.array(part.warnings.map(\.json)).line.utf8)
            bytes.append(littleEndian: UInt64(part.frameCount), byteCount: 8)
            bytes.append(littleEndian: UInt64(warnings.count), byteCount: 8)
            bytes += warnings
        }
        return bytes
    }

    /// Parses a checkpoint, or returns `nil` if the bytes are invalid.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.encoderLength else { return nil }
        let numbers = (0..<5).map { bytes.littleEndian(at: 8 * $0, byteCount: 8) }
        guard let accessUnitIndex = Int(exactly: numbers[0]), let accountedFrames = Int(exactly: numbers[3]) else { return nil }
        encoder = EncoderCheckpoint(
            accessUnitIndex: accessUnitIndex, log2NoiseScale: Float(bitPattern: UInt32(truncatingIfNeeded: numbers[1])),
            bitSurplus: Double(bitPattern: numbers[2]), accountedFrames: accountedFrames,
            log2BitsPerEntropy: Float(bitPattern: UInt32(truncatingIfNeeded: numbers[4])))
        var finished: [JoinedPCMSource.FinishedPart] = []
        var offset = Self.encoderLength
        while offset < bytes.count {
            guard bytes.count - offset >= 16 else { return nil }
            let frameCount = bytes.littleEndian(at: offset, byteCount: 8)
            let length = bytes.littleEndian(at: offset + 8, byteCount: 8)
            offset += 16
            guard frameCount <= Self.maximumPartLength, length <= UInt64(bytes.count - offset) else { return nil }
            let json = bytes[offset..<offset + Int(length)]
            offset += Int(length)
            guard let warnings = json.isEmpty ? [] : (try? JSONValue(parsing: json))?.elements else { return nil }
            let part = JoinedPCMSource.FinishedPart(
                frameCount: Int(clamping: frameCount), warnings: warnings.compactMap(PCMFileWarning.init(json:)))
            finished.append(part)
        }
        self.finished = finished
    }
}
