// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Finds the frames in a Core Audio Format file with iLBC, of which all bytes are given (Core Audio Format specification 1.0).
public struct ILBCCAFReader: Sendable {
    /// The mode of all frames.
    public let mode: ILBCMode

    /// The bytes of the frames in the file; a part of a frame at the end is left out.
    public let frameBytes: Range<Int>

    /// The samples to drop at the beginning, of the packet table; 0 without one.
    public let primingSamples: Int

    /// The samples to drop at the end.
    public let remainderSamples: Int

    /// Reads the chunks before and after the data.
    ///
    /// - Parameter bytes: The whole file.
    /// - Throws: ``ILBCError/invalidCoreAudioFile(_:)``.
    public init(_ bytes: [UInt8]) throws(ILBCError) {
        guard bytes.starts(with: "caff".utf8), bytes.count >= 8 else { throw .invalidCoreAudioFile(.notCAF) }
        var (mode, data, edges): (ILBCMode?, Range<Int>?, (Int, Int)) = (nil, nil, (0, 0))
        var position = 8
        while bytes.count - position >= ILBCCAFWriter.chunkHeaderLength {
            let type = bytes[position..<position + 4]
            let stated = Self.number(bytes, position + 4, 8)
            position += ILBCCAFWriter.chunkHeaderLength
            let isData = type.elementsEqual("data".utf8)
            // A chunk that would end after the file is damaged, or the data of a file that was not finished.
            let rest = bytes.count - position
            guard stated >= 0 && stated <= rest || isData else { throw .invalidCoreAudioFile(.truncatedChunk) }
            let body = position..<position + (stated < 0 ? rest : min(rest, stated))
            position = body.upperBound
            if type.elementsEqual("desc".utf8) {
                mode = try Self.mode(bytes, body)
            } else if type.elementsEqual("pakt".utf8), body.count >= ILBCCAFWriter.packetTableLength {
                edges = (max(0, Self.number(bytes, body.lowerBound + 16, 4)), max(0, Self.number(bytes, body.lowerBound + 20, 4)))
            } else if isData, data == nil, body.count >= 4 {
                data = body.dropFirst(4)
            }
        }
        guard let mode else { throw .invalidCoreAudioFile(.missingDescription) }
        guard let data else { throw .invalidCoreAudioFile(.missingData) }
        self.mode = mode
        frameBytes = data.prefix(data.count - data.count % mode.bytesPerFrame)
        (primingSamples, remainderSamples) = edges
    }

    /// The number of frames.
    public var frameCount: Int { frameBytes.count / mode.bytesPerFrame }

    /// Returns the bytes of a frame in the file.
    ///
    /// - Parameter index: The number of the frame, less than ``frameCount``.
    public func bytes(ofFrame index: Int) -> Range<Int> {
        let start = frameBytes.lowerBound + index * mode.bytesPerFrame
        return start..<start + mode.bytesPerFrame
    }

    /// Returns the mode that an audio description gives.
    private static func mode(_ bytes: [UInt8], _ body: Range<Int>) throws(ILBCError) -> ILBCMode {
        guard body.count >= ILBCCAFWriter.descriptionLength else { throw .invalidCoreAudioFile(.truncatedChunk) }
        guard bytes[body.lowerBound + 8..<body.lowerBound + 12].elementsEqual("ilbc".utf8) else {
            throw .invalidCoreAudioFile(.otherCodec)
        }
        // The number of samples is not compared: FFmpeg writes 160 for packets of 50 bytes too.
        guard let mode = ILBCMode(bytesPerFrame: number(bytes, body.lowerBound + 16, 4)), number(bytes, body.lowerBound + 24, 4) == 1 else {
            throw .invalidCoreAudioFile(.otherPackets)
        }
        return mode
    }

    /// Returns a number with a sign, whose most significant byte is first.
    private static func number(_ bytes: [UInt8], _ position: Int, _ byteCount: Int) -> Int {
        let value = bytes[position..<position + byteCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return byteCount == 8 ? Int(truncatingIfNeeded: value) : Int(Int32(truncatingIfNeeded: value))
    }
}
