// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

/// The level fields of SBR payloads.
@Suite struct SBRGainTests {
    @Test("Changed start values change all energies of their chains by 3 dB", arguments: [1, 2], 0..<6)
    func chains(channelCount: Int, case number: Int) {
        let seed = UInt64(810 + 10 * channelCount + number)
        var generator = RandomSBR(seed: seed, channelCount: channelCount, rate: 44_100)
        var readers = Readers(channelCount: channelCount)
        var shifts = [0, 0]
        for frame in 0..<30 {
            let payload = generator.payload()
            var writer = BitWriter()
            writer.write(true)
            generator.header.write(to: &writer)
            payload.write(to: &writer, header: generator.header, tables: generator.tables, stereo: nil)
            writer.alignToByte()
            guard readers.read(writer.bytes, seed, frame) else { return }
            for channel in 0..<channelCount {
                let isCoarse = payload.channels[channel].usesCoarseAmplitudes(generator.header)
                for (index, values) in generator.levels[channel].envelopes.enumerated() {
                    if payload.channels[channel].envelopesInTime >> UInt8(index) & 1 == 0 {
                        shifts[channel] = payload.isCoupled && channel == 1 ? 0 : isCoarse ? 1 : 2
                    }
                    guard !payload.isCoupled else { continue }
                    let expected = Float(1 << (isCoarse ? 2 * shifts[channel] : shifts[channel]))
                    for band in values.indices {
                        let (old, new) = readers.energies(channel, 48 * index + band)
                        // The squared ratio has no square roots.
                        #expect(abs(new * new / (old * old) / expected - 1) < 1e-5, "seed \(seed), frame \(frame)")
                    }
                }
            }
        }
    }

    /// The readers of a stream and of its changed copy.
    private struct Readers: ~Copyable {
        var old: SBRReader
        var new: SBRReader
        var oldReading: SBRReading
        var newReading: SBRReading

        init(channelCount: Int) {
            old = SBRReader(rate: 44_100, slotCount: 16, channelCount: channelCount, variant: .standard)
            new = SBRReader(rate: 44_100, slotCount: 16, channelCount: channelCount, variant: .standard)
            oldReading = SBRReading(channelCount: channelCount, slotCount: 16)
            newReading = SBRReading(channelCount: channelCount, slotCount: 16)
        }

        /// Reads a payload and its changed copy; false if the change is out of range.
        mutating func read(_ bytes: [UInt8], _ seed: UInt64, _ frame: Int) -> Bool {
            var bits = BitReader(bytes)
            let isRead = old.read(&oldReading, from: &bits, end: 8 * bytes.count, isChecked: false)
            #expect(isRead, "seed \(seed), frame \(frame)")
            var fields = GainFields()
            old.addGainFields(oldReading, isSilent: SIMD2(0, 0), chain: 0, to: &fields)
            var changed = BitWriter()
            var source = BitReader(bytes)
            var position = 0
            var isInRange = true
            for field in fields.fields where field.scale > 0 {
                // Envelopes in time direction may have another resolution than their start value.
                if !field.changes.contains(field.bit == nil ? 2 : 2 / field.scale) { isInRange = false }
                guard let bit = field.bit else { continue }
                while position < bit {
                    changed.write(source.readFlag())
                    position += 1
                }
                changed.write(source.read(field.bitCount) + UInt32(2 / field.scale), count: field.bitCount)
                position += field.bitCount
            }
            while position < 8 * bytes.count {
                changed.write(source.readFlag())
                position += 1
            }
            guard isInRange else { return false }
            var reader = BitReader(changed.bytes)
            let isChangedRead = new.read(&newReading, from: &reader, end: 8 * bytes.count, isChecked: false)
            #expect(isChangedRead, "seed \(seed), frame \(frame)")
            old.commit(oldReading)
            new.commit(newReading)
            return isRead && isChangedRead
        }

        func energies(_ channel: Int, _ index: Int) -> (Float, Float) {
            (oldReading.channels[channel].energies[index], newReading.channels[channel].energies[index])
        }
    }
}
