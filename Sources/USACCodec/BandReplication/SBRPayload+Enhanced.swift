// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

extension SBRPayload {
    /// Reads enhanced SBR data after the header (ISO/IEC 23003-3, 5.3).
    ///
    /// The caller must check the reader for overrun.
    ///
    /// - Parameters:
    ///   - isHarmonic: Whether the harmonic transposer is configured.
    ///   - prediction: The PVC data, with the active mode, which is 0 in pairs.
    ///   - start: `t_E(0)` for a frame with PVC.
    ///   - lastVector: The last vector of the previous frame.
    /// - Returns: Whether the grids are valid. If not, the contents are unspecified.
    package mutating func readEnhanced(
        from reader: inout BitReader, header: SBRHeader, tables: FrequencyBandTables, isHarmonic: Bool,
        prediction: inout PredictionData, start: Int, lastVector: UInt8
    ) -> Bool {
        for channel in 0..<channelCount { channels[channel].clear() }
        isCoupled = channelCount == 2 && reader.readFlag()
        stereoBits = nil
        if isHarmonic {
            for channel in 0..<channelCount {
                if channel == 1 && isCoupled {
                    (channels[1].isTransposed, channels[1].pitch) = (channels[0].isTransposed, channels[0].pitch)
                    channels[1].isOversampled = channels[0].isOversampled
                } else {
                    channels[channel].readPatching(from: &reader)
                }
            }
        }
        if prediction.mode > 0 {
            return readPredicted(from: &reader, tables: tables, prediction: &prediction, start: start, lastVector: lastVector)
        }
        guard readSideData(from: &reader, tables: tables) else { return false }
        readLevels(from: &reader, header: header, tables: tables)
        for channel in 0..<channelCount { channels[channel].readHarmonics(from: &reader, bandCount: tables.high.count) }
        return true
    }

    /// Reads the data of a frame with PVC, after the transposer data.
    ///
    /// - Returns: Whether the grid is valid.
    private mutating func readPredicted(
        from reader: inout BitReader, tables: FrequencyBandTables, prediction: inout PredictionData, start: Int, lastVector: UInt8
    ) -> Bool {
        guard prediction.readGrid(from: &reader) else { return false }
        channels[0].grid = SBRGrid()
        channels[0].boundaries = EnvelopeBoundaries(from: start, middle: prediction.noisePosition, to: 16 + prediction.tailCount)
        for index in channels[0].envelopeDifferences.indices { channels[0].envelopeDifferences[index] = 0 }
        for index in (syntax.isIndependent ? 1 : 0)..<channels[0].boundaries.noiseCount where reader.readFlag() {
            channels[0].noiseFloorsInTime |= 1 << UInt8(index)
        }
        for band in 0..<tables.noise.count { channels[0].inverseFiltering[band] = UInt8(reader.read(2)) }
        guard prediction.readVectors(from: &reader, isIndependent: syntax.isIndependent, last: lastVector) else { return false }
        channels[0].readNoiseFloors(from: &reader, bandCount: tables.noise.count, isBalance: false)
        prediction.sinePosition = PredictionData.noPosition
        guard reader.readFlag() else { return true }
        for band in 0..<tables.high.count where reader.readFlag() { channels[0].harmonics |= 1 << UInt64(band) }
        if reader.readFlag() { prediction.sinePosition = Int(reader.read(5)) }
        return true
    }
}

extension SBRPayload {
    /// Writes enhanced SBR data after the header, without transposer and PVC.
    package func writeEnhanced(to writer: inout BitWriter, header: SBRHeader, tables: FrequencyBandTables) {
        writeEnhanced(to: &writer, header: header, tables: tables, isHarmonic: false, prediction: PredictionData(), lastVector: 0)
    }

    /// Writes enhanced SBR data in the syntax of ``readEnhanced(from:header:tables:isHarmonic:prediction:start:lastVector:)``.
    package func writeEnhanced(
        to writer: inout BitWriter, header: SBRHeader, tables: FrequencyBandTables, isHarmonic: Bool, prediction: PredictionData,
        lastVector: UInt8
    ) {
        if channelCount == 2 { writer.write(isCoupled) }
        if isHarmonic {
            for channel in 0..<(isCoupled ? 1 : channelCount) { channels[channel].writePatching(to: &writer) }
        }
        guard prediction.mode > 0 else { return writeData(into: &writer, header: header, tables: tables) }
        prediction.writeGrid(to: &writer)
        for index in (syntax.isIndependent ? 1 : 0)..<channels[0].boundaries.noiseCount {
            writer.write(channels[0].noiseFloorsInTime >> UInt8(index) & 1 != 0)
        }
        for band in 0..<tables.noise.count { writer.write(UInt32(channels[0].inverseFiltering[band]), count: 2) }
        prediction.writeVectors(to: &writer, isIndependent: syntax.isIndependent, last: lastVector)
        channels[0].writeNoiseFloors(into: &writer, bandCount: tables.noise.count)
        writer.write(channels[0].harmonics != 0)
        guard channels[0].harmonics != 0 else { return }
        for band in 0..<tables.high.count { writer.write(channels[0].harmonics >> UInt64(band) & 1 != 0) }
        let hasPosition = prediction.sinePosition != PredictionData.noPosition
        writer.write(hasPosition)
        if hasPosition { writer.write(UInt32(prediction.sinePosition), count: 5) }
    }
}

extension SBRChannelData {
    /// Reads `sbrPatchingMode` and, for the harmonic transposer, its pitch.
    fileprivate mutating func readPatching(from reader: inout BitReader) {
        isTransposed = !reader.readFlag()
        guard isTransposed else { return }
        // The QMF-based transposer does not use it.
        isOversampled = reader.readFlag()
        pitch = reader.readFlag() ? Int(reader.read(7)) : 0
    }

    /// Writes `sbrPatchingMode` and the transposer data after it.
    fileprivate func writePatching(to writer: inout BitWriter) {
        writer.write(!isTransposed)
        guard isTransposed else { return }
        writer.write(isOversampled)
        writer.write(pitch > 0)
        if pitch > 0 { writer.write(UInt32(pitch), count: 7) }
    }
}
