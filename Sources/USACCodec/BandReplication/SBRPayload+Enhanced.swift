// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import TransformCoding

extension SBRPayload {
    /// Reads the data of enhanced SBR after the header (ISO/IEC 23003-3, 5.3).
    ///
    /// The caller checks the reader for an overrun.
    ///
    /// - Parameters:
    ///   - header: The header in force.
    ///   - tables: Its frequency tables.
    ///   - isHarmonic: Whether there may be the harmonic transposer.
    /// - Returns: Whether the grids are valid; otherwise the contents are unspecified.
    mutating func readEnhanced(
        from reader: inout BitReader, header: SBRHeader, tables: FrequencyBandTables, isHarmonic: Bool
    ) -> Bool {
        for channel in 0..<channelCount { channels[channel].clear() }
        isCoupled = channelCount == 2 && reader.readFlag()
        stereoBits = nil
        if isHarmonic {
            for channel in 0..<channelCount {
                if channel == 1 && isCoupled {
                    (channels[1].isTransposed, channels[1].pitch) = (channels[0].isTransposed, channels[0].pitch)
                } else {
                    channels[channel].readPatching(from: &reader)
                }
            }
        }
        guard readSideData(from: &reader, tables: tables) else { return false }
        readLevels(from: &reader, header: header, tables: tables)
        for channel in 0..<channelCount { channels[channel].readHarmonics(from: &reader, bandCount: tables.high.count) }
        return true
    }
}

extension SBRChannelData {
    /// Reads `sbrPatchingMode` and, for the harmonic transposer, its pitch.
    fileprivate mutating func readPatching(from reader: inout BitReader) {
        isTransposed = !reader.readFlag()
        guard isTransposed else { return }
        // sbrOversamplingFlag, which the transposer of the filter bank does not use.
        reader.skip(1)
        pitch = reader.readFlag() ? Int(reader.read(7)) : 0
    }
}
