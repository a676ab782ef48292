// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The Opus configuration in a sample entry (`dOps`, "Encapsulation of Opus in ISO Base Media File Format" 0.8.1, 4.3.2).
///
/// It has the fields of the identification header, in big-endian order.
package struct OpusSpecificBox: Box, Equatable {
    package static let type: FourCharCode = "dOps"
    static let sampleEntry: FourCharCode = "Opus"

    package var configuration: OpusConfiguration

    package init(_ configuration: OpusConfiguration) { self.configuration = configuration }

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let version = try cursor.readInteger(1)
        guard version == 0 else { throw .codec(.unsupportedVersion(version, maximum: 0)) }
        let channelCount = try cursor.readInteger(1)
        let preSkip = try cursor.readInteger(2)
        let inputSampleRate = try cursor.readInteger(4)
        let outputGain = try cursor.readInteger(2)
        let mapping = try cursor.readRest()
        do throws(CodecError) {
            configuration = OpusConfiguration(
                mapping: try OpusConfiguration.parseMapping(mapping[...], channelCount: channelCount),
                preSkip: UInt16(truncatingIfNeeded: preSkip), inputSampleRate: UInt32(truncatingIfNeeded: inputSampleRate),
                outputGain: Int16(truncatingIfNeeded: outputGain))
        } catch {
            throw .codec(error)
        }
    }

    package func write(to writer: inout BoxWriter) {
        writer.write(0, 1)
        writer.write(configuration.channelCount, 1)
        writer.write(Int(configuration.preSkip), 2)
        writer.write(Int(clamping: configuration.inputSampleRate), 4)
        writer.write(Int(UInt16(bitPattern: configuration.outputGain)), 2)
        writer.write(configuration.serializedMapping)
    }
}
