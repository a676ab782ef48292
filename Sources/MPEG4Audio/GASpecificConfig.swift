// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The part of the configuration that the AAC family shares (`GASpecificConfig`, ISO/IEC 14496-3:2009, 4.4.1).
package struct GASpecificConfig: Hashable, Sendable {
    /// Whether a frame has 960 samples a channel and not 1024, or 480 and not 512 in low delay (`frameLengthFlag`).
    package var usesShortFrame: Bool

    /// The delay of the core coder in samples, for a scalable layer (`coreCoderDelay`, 14 bits).
    package var coreCoderDelay: Int?

    /// The layout, where the channel configuration is 0.
    package var programConfig: ProgramConfigElement?

    /// The number of a scalable layer (`layerNr`), for types 6 and 20.
    package var layerNumber = 0

    /// The fields of `extensionFlag`; nil if it is 0.
    package var extensionData: Extension?

    /// The fields after `extensionFlag`.
    package struct Extension: Hashable, Sendable {
        /// `numOfSubFrame` and `layer_length`, for type 22.
        package var subFrameCount = 0
        /// `layer_length`, for type 22.
        package var layerLength = 0
        /// `aacSectionDataResilienceFlag`, for types 17, 19, 20 and 23, as the next two.
        package var resilientSectionData = false
        /// `aacScalefactorDataResilienceFlag`.
        package var resilientScaleFactorData = false
        /// `aacSpectralDataResilienceFlag`.
        package var resilientSpectralData = false
        /// `extensionFlag3`, reserved.
        package var extensionFlag3 = false

        /// Creates an extension with all flags 0.
        package init() {}

        /// Returns whether the object type has the error resilience flags.
        fileprivate static func hasResilience(_ type: AudioObjectType) -> Bool { [17, 19, 20, 23].contains(type.rawValue) }

        /// Reads the fields.
        fileprivate init(reading reader: inout BitReader, objectType: AudioObjectType) {
            if objectType == .erBSAC {
                subFrameCount = Int(reader.read(5))
                layerLength = Int(reader.read(11))
            }
            if Self.hasResilience(objectType) {
                resilientSectionData = reader.readFlag()
                resilientScaleFactorData = reader.readFlag()
                resilientSpectralData = reader.readFlag()
            }
            extensionFlag3 = reader.readFlag()
        }

        /// Writes the fields.
        fileprivate func write(to sink: inout some BitSink, objectType: AudioObjectType) {
            if objectType == .erBSAC {
                sink.write(UInt32(subFrameCount), count: 5)
                sink.write(UInt32(layerLength), count: 11)
            }
            if Self.hasResilience(objectType) {
                sink.write(resilientSectionData)
                sink.write(resilientScaleFactorData)
                sink.write(resilientSpectralData)
            }
            sink.write(extensionFlag3)
        }
    }

    /// The number of bits of `coreCoderDelay`.
    private static let delayBitCount = 14

    /// Creates a configuration without scalable layers.
    package init(usesShortFrame: Bool = false, programConfig: ProgramConfigElement? = nil) {
        self.usesShortFrame = usesShortFrame
        self.programConfig = programConfig
    }

    /// Returns whether the object type is scalable.
    private static func hasLayerNumber(_ type: AudioObjectType) -> Bool { type.rawValue == 6 || type.rawValue == 20 }

    /// Reads a configuration; `start` is the bit that a PCE is aligned to.
    init(
        reading reader: inout BitReader, objectType: AudioObjectType, hasProgramConfig: Bool, alignedTo start: Int
    ) throws(CodecError) {
        usesShortFrame = reader.readFlag()
        // Some writers set `dependsOnCoreCoder` by mistake and end the configuration right after it. Object types that are not scalable
        // have no core coder, so nothing is lost without the delay.
        let hasDelay = reader.readFlag()
        if hasDelay, reader.bitsRemaining > Self.delayBitCount || Self.hasLayerNumber(objectType) {
            coreCoderDelay = Int(reader.read(Self.delayBitCount))
        }
        let hasExtension = reader.readFlag()
        if hasProgramConfig { programConfig = try ProgramConfigElement(reading: &reader, alignedTo: start) }
        if Self.hasLayerNumber(objectType) { layerNumber = Int(reader.read(3)) }
        if hasExtension { extensionData = Extension(reading: &reader, objectType: objectType) }
    }

    /// Writes a configuration; `start` is the bit that a PCE is aligned to.
    func write(to sink: inout some BitSink, objectType: AudioObjectType, alignedTo start: Int) {
        sink.write(usesShortFrame)
        sink.write(coreCoderDelay != nil)
        if let coreCoderDelay { sink.write(UInt32(coreCoderDelay), count: 14) }
        sink.write(extensionData != nil)
        programConfig?.write(to: &sink, alignedTo: start)
        if Self.hasLayerNumber(objectType) { sink.write(UInt32(layerNumber), count: 3) }
        extensionData?.write(to: &sink, objectType: objectType)
    }
}
