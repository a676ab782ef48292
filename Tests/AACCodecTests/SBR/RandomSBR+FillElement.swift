// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import TransformCoding

extension RandomSBR {
    /// Writes a payload as an SBR fill element, including its identifier.
    func writeFill(
        _ payload: borrowing SBRPayload, hasHeader: Bool, isChecked: Bool = false, stereo: BitWriter? = nil,
        to sink: inout some BitSink
    ) {
        var body = BitWriter()
        body.write(hasHeader)
        if hasHeader { header.write(to: &body) }
        payload.write(to: &body, header: header, tables: tables, stereo: stereo)
        let byteCount = (4 + (isChecked ? 10 : 0) + body.bitCount + 7) / 8
        body.write(0, count: 8 * byteCount - 4 - (isChecked ? 10 : 0) - body.bitCount)
        FillElement.writeHeader(byteCount: byteCount, to: &sink)
        sink.write(isChecked ? 14 : 13, count: 4)
        var reader = BitReader(body.bytes)
        if isChecked {
            var crc = CRC(polynomial: 0x233, width: 10, initial: 0)
            for _ in 0..<body.bitCount { crc.update(reader.read(1), count: 1) }
            sink.write(UInt32(crc.value), count: 10)
            reader = BitReader(body.bytes)
        }
        for _ in 0..<body.bitCount { sink.write(reader.read(1), count: 1) }
    }
}
