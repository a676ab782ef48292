// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The part of the configuration for the AAC family (`GASpecificConfig`, ISO/IEC 14496-3:2009, 4.4.1).
package struct GASpecificConfig: Hashable, Sendable {
    /// Whether the frame length is 960 instead of 1024 (low delay: 480 instead of 512) samples per channel (`frameLengthFlag`).
    package var usesShortFrame: Bool

    /// The core coder delay of a scalable layer, in samples (`coreCoderDelay`, 14 bits).
    package var coreCoderDelay: Int?

    /// The layout if the channel configuration is 0.
    package var programConfig: ProgramConfigElement?

    /// The scalable layer number (`layerNr`), for types 6 and 20.
    package var layerNumber = 0

    /// The fields after `extensionFlag`, or `nil` if it is 0.
    package var extensionData: Extension?

    /// The fields after `extensionFlag`.
    package struct Extension: Hashable, Sendable {
        /// `numOfSubFrame`, for type 22.
        package var subFrameCount = 0
        /// `layer_length`, for type 22.
        package var layerLength = 0
        /// `aacSectionDataResilienceFlag`, for types 17, 19, 20 and 23 (like the next two).
        package var resilientSectionData = false
        /// `aacScalefactorDataResilienceFlag`.
        package var resilientScaleFactorData = false
        /// `aacSpectralDataResilienceFlag`.
        package var resilientSpectralData = false
        /// `extensionFlag3`, reserved.
        package var extensionFlag3 = false

        package init() {}

        /// Whether the object type has error resilience flags.
        fileprivate static func hasResilience(_ type: AudioObjectType) -> Bool { [17, 19, 20, 23].contains(type.rawValue) }

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

    private static let delayBitCount = 14

    /// Creates a configuration without scalable layers.
    package init(usesShortFrame: Bool = false, programConfig: ProgramConfigElement? = nil) {
        self.usesShortFrame = usesShortFrame
        self.programConfig = programConfig
    }

    private static func hasLayerNumber(_ type: AudioObjectType) -> Bool { type.rawValue == 6 || type.rawValue == 20 }

    /// Reads a configuration, in which a PCE is aligned to bit `start`.
    init(
        reading reader: inout BitReader, objectType: AudioObjectType, hasProgramConfig: Bool, alignedTo start: Int
    ) throws(CodecError) {
        usesShortFrame = reader.readFlag()
        // Some writers set `dependsOnCoreCoder` by mistake and end the configuration right after it. Object types that are not scalable
        // have no core coder, so the delay is not needed.
        let hasDelay = reader.readFlag()
        if hasDelay, reader.bitsRemaining > Self.delayBitCount || Self.hasLayerNumber(objectType) {
            coreCoderDelay = Int(reader.read(Self.delayBitCount))
        }
        let hasExtension = reader.readFlag()
        if hasProgramConfig { programConfig = try ProgramConfigElement(reading: &reader, alignedTo: start) }
        if Self.hasLayerNumber(objectType) { layerNumber = Int(reader.read(3)) }
        if hasExtension { extensionData = Extension(reading: &reader, objectType: objectType) }
    }

    /// Writes a configuration, in which a PCE is aligned to bit `start`.
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
