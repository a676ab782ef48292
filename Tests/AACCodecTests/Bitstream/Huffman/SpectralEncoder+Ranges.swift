// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TransformCoding

extension SpectralEncoder {
    /// Writes only the lines in `range`.
    static func write(_ quantized: Span<Int16>, in range: Range<Int>, codebook: Int, to sink: inout some BitSink) {
        var encoder = SpectralEncoder()
        encoder.write(quantized, in: range, codebook: codebook, tables: .shared, to: &sink)
        encoder.finish(&sink)
    }
}
