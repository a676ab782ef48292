// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// The header of an enhanced SBR frame: `SbrInfo` and `SbrHeader` (ISO/IEC 23003-3, 5.3).
package struct EnhancedSBRInfo: Hashable {
    /// The fields of `SbrInfo`; `nil` if the previous frame's fields stay active.
    package var fields: Fields?
    /// Whether a header is present (`sbrHeaderPresent`).
    ///
    /// It requires ``fields``.
    package var hasHeader = false
    /// The header; `nil` for the configuration's default header (`sbrUseDfltHeader`).
    package var header: USACSBRHeaderFields?

    /// The fields of `SbrInfo`.
    package struct Fields: Hashable {
        /// `bs_amp_res`: whether envelopes have steps of 3 dB.
        package var usesCoarseAmplitudes = false
        /// `bs_xover_band`, 0 to 15.
        package var crossoverBand = 0
        /// `bs_sbr_preprocessing`: whether copied subbands are flattened.
        var isFlattened = false
        /// `bs_pvc_mode`, where 3 is reserved; 0 if predictive vector coding is not configured.
        package var predictionMode = 0

        package init(usesCoarseAmplitudes: Bool, crossoverBand: Int, isFlattened: Bool = false, predictionMode: Int = 0) {
            (self.usesCoarseAmplitudes, self.crossoverBand) = (usesCoarseAmplitudes, crossoverBand)
            (self.isFlattened, self.predictionMode) = (isFlattened, predictionMode)
        }
    }

    /// Creates an empty header, for a frame that keeps everything.
    package init() {}

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - isIndependent: Whether the frame refers to no other, so that all fields are present.
    ///   - hasPVC: Whether predictive vector coding is configured.
    package init(reading reader: inout BitReader, isIndependent: Bool, hasPVC: Bool) {
        let hasFields = isIndependent || reader.readFlag()
        hasHeader = isIndependent || hasFields && reader.readFlag()
        if hasFields {
            fields = Fields(
                usesCoarseAmplitudes: reader.readFlag(), crossoverBand: Int(reader.read(4)), isFlattened: reader.readFlag(),
                predictionMode: hasPVC ? Int(reader.read(2)) : 0)
        }
        if hasHeader && !reader.readFlag() { header = USACSBRHeaderFields(reading: &reader) }
    }

    /// Writes the header in the syntax of ``init(reading:isIndependent:hasPVC:)``.
    package func write(to sink: inout some BitSink, isIndependent: Bool, hasPVC: Bool) {
        if !isIndependent {
            sink.write(fields != nil)
            if fields != nil { sink.write(hasHeader) }
        }
        if let fields {
            sink.write(fields.usesCoarseAmplitudes)
            sink.write(UInt32(fields.crossoverBand), count: 4)
            sink.write(fields.isFlattened)
            if hasPVC { sink.write(UInt32(fields.predictionMode), count: 2) }
        }
        guard hasHeader else { return }
        sink.write(header == nil)
        header?.write(to: &sink)
    }
}
