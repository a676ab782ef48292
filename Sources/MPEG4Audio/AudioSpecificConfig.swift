// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The decoder configuration of an MPEG-4 audio stream (`AudioSpecificConfig`, ISO/IEC 14496-3:2009, 1.6.2.1).
public struct AudioSpecificConfig: Hashable, Sendable {
    /// The signalling of SBR and PS (ISO/IEC 14496-3:2009, 1.6.5).
    public enum ExtensionSignaling: Hashable, Sendable {
        /// Not signalled. Decoders detect SBR and PS in the stream.
        case implicit
        /// Explicit and backward compatible, after the core configuration (`syncExtensionType`). AAC-LC decoders ignore it.
        case backwardCompatible
        /// Explicit and hierarchical, as object type 5 or 29.
        case hierarchical
    }

    /// The signalled SBR and PS, with one case per kind of signalling.
    public enum Extension: Hashable, Sendable {
        /// Nothing is signalled. Decoders detect SBR and PS in the stream.
        case implicit
        /// No SBR, signalled by `syncExtensionType` after the core configuration.
        case absent
        /// SBR with its output rate in hertz, signalled after the core configuration. For PS, `nil` means not signalled.
        case backwardCompatible(sampleRate: Int, hasParametricStereo: Bool?)
        /// SBR with its output rate in hertz, signalled as object type 5, or 29 with PS. Type 5 does not exclude PS.
        case hierarchical(sampleRate: Int, hasParametricStereo: Bool)

        /// The kind of signalling.
        public var signaling: ExtensionSignaling {
            switch self {
            case .implicit: .implicit
            case .absent, .backwardCompatible: .backwardCompatible
            case .hierarchical: .hierarchical
            }
        }

        /// Whether SBR is present, or `nil` if not signalled.
        public var hasSBR: Bool? { self == .implicit ? nil : self != .absent }

        /// Whether parametric stereo is present, or `nil` if not signalled.
        public var hasParametricStereo: Bool? {
            switch self {
            case .implicit, .absent: nil
            case .backwardCompatible(_, let hasParametricStereo): hasParametricStereo
            case .hierarchical(_, let hasParametricStereo): hasParametricStereo ? true : nil
            }
        }

        /// The SBR output rate in hertz, or `nil` if not signalled.
        public var sampleRate: Int? {
            switch self {
            case .implicit, .absent: nil
            case .backwardCompatible(let sampleRate, _), .hierarchical(let sampleRate, _): sampleRate
            }
        }
    }

    /// The part of the configuration that depends on the object type.
    package enum SpecificConfig: Hashable, Sendable {
        /// The AAC family.
        case generalAudio(GASpecificConfig)
        // Small builds lack AAC-ELD and USAC and treat their configurations as opaque.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        /// AAC-ELD.
        case enhancedLowDelay(ELDSpecificConfig)
        #endif
        #if !hasFeature(Embedded) || LINNET_USAC
        /// USAC (xHE-AAC).
        case usac(USACConfig)
        #endif
        /// Unparsed bits of other object types.
        case opaque(bytes: [UInt8], bitCount: Int)
    }

    /// Valid sample rates, in hertz.
    package static let sampleRateRange = 1...192_000

    /// Throws unless the sample rates and the object type fit into their fields.
    package func validate() throws(CodecError) {
        for rate in [sampleRate, extensionConfig.sampleRate ?? sampleRate] where !Self.sampleRateRange.contains(rate) {
            throw .invalidSampleRate(rate, allowed: Self.sampleRateRange)
        }
        guard 0...95 ~= objectType.rawValue else { throw .unsupportedObjectType(objectType.rawValue) }
    }

    /// The core object type, never SBR or PS.
    public var objectType: AudioObjectType
    /// The core sample rate, in hertz.
    public var sampleRate: Int
    /// The core channel configuration, or `nil` if a PCE, here or in the stream, defines the layout.
    public var channelConfiguration: ChannelConfiguration?
    /// The signalled SBR and PS.
    public var extensionConfig: Extension
    package var specificConfig: SpecificConfig

    /// Creates a configuration for the AAC family.
    public init(
        objectType: AudioObjectType = .aacLC, sampleRate: Int, channelConfiguration: ChannelConfiguration?,
        extensionConfig: Extension = .implicit
    ) {
        self.init(
            objectType: objectType, sampleRate: sampleRate, channelConfiguration: channelConfiguration, generalAudio: GASpecificConfig(),
            extensionConfig: extensionConfig)
    }

    /// Creates a configuration for the AAC family, in which a PCE replaces the channel configuration.
    package init(
        objectType: AudioObjectType = .aacLC, sampleRate: Int, channelConfiguration: ChannelConfiguration?, generalAudio: GASpecificConfig,
        extensionConfig: Extension = .implicit
    ) {
        self.objectType = objectType
        self.sampleRate = sampleRate
        self.channelConfiguration = channelConfiguration
        self.extensionConfig = extensionConfig
        specificConfig = .generalAudio(generalAudio)
    }

    #if !hasFeature(Embedded) || LINNET_LOW_DELAY
    package init(sampleRate: Int, channelConfiguration: ChannelConfiguration, enhancedLowDelay: ELDSpecificConfig) {
        objectType = .aacELD
        self.sampleRate = sampleRate
        self.channelConfiguration = channelConfiguration
        extensionConfig = .absent
        specificConfig = .enhancedLowDelay(enhancedLowDelay)
    }
    #endif

    /// The `GASpecificConfig`, or `nil` for other object types.
    package var generalAudio: GASpecificConfig? {
        guard case .generalAudio(let config) = specificConfig else { return nil }
        return config
    }

    /// The `ELDSpecificConfig`, or `nil` for other object types.
    package var enhancedLowDelay: ELDSpecificConfig? {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        guard case .enhancedLowDelay(let config) = specificConfig else { return nil }
        return config
        #else
        return nil
        #endif
    }

    /// The error resilience flags of AAC-LD and AAC-ELD, all `false` for other types.
    package var errorResilience: ErrorResilience {
        if let enhancedLowDelay { return enhancedLowDelay.resilience }
        var resilience = ErrorResilience()
        guard let data = generalAudio?.extensionData else { return resilience }
        resilience.hasVirtualCodebooks = data.resilientSectionData
        resilience.hasReversibleScaleFactors = data.resilientScaleFactorData
        resilience.hasReorderedSpectrum = data.resilientSpectralData
        return resilience
    }

    /// The `UsacConfig`, or `nil` for other object types.
    package var usac: USACConfig? {
        #if !hasFeature(Embedded) || LINNET_USAC
        guard case .usac(let config) = specificConfig else { return nil }
        return config
        #else
        return nil
        #endif
    }

    /// The number of sample frames per access unit, or `nil` if unknown.
    ///
    /// Counts core samples (1024 or 960, low delay 512 or 480), but output samples for USAC.
    public var frameLength: Int? {
        if let usac { return usac.frameLength }
        if let enhancedLowDelay { return enhancedLowDelay.frameLength }
        guard let generalAudio else { return nil }
        let full = objectType == .aacLD ? 512 : 1024
        return generalAudio.usesShortFrame ? full * 15 / 16 : full
    }

    /// The PCE in the configuration, if any.
    package var programConfig: ProgramConfigElement? { generalAudio?.programConfig }

    /// The core channel count, or `nil` if only the stream defines it.
    public var channelCount: Int? { usac?.channelCount ?? channelConfiguration?.channelCount ?? programConfig?.channelCount }

    /// The core speakers in element order, or `nil` if unknown or unnamed.
    public var channelLayout: ChannelLayout? {
        if let usac { return usac.channelLayout }
        return channelConfiguration?.decodedLayout ?? programConfig?.channelLayout
    }

    /// Whether the layout is channel configuration 7, which encoders use in two ways (``ChannelConfiguration/decodedLayout``).
    package var hasAmbiguousLayout: Bool { usac == nil && channelConfiguration?.rawValue == 7 }

    /// The output sample rate in hertz: the SBR rate if signalled, otherwise the core rate.
    public var outputSampleRate: Int {
        if enhancedLowDelay?.sbr?.isDualRate == true { return 2 * sampleRate }
        return extensionConfig.hasSBR == true ? extensionConfig.sampleRate ?? sampleRate : sampleRate
    }

    /// The common profile name, such as "AAC LC", "HE-AAC", "HE-AAC v2", "AAC-ELD" or "xHE-AAC".
    public var profileName: String {
        if objectType == .usac { return "xHE-AAC" }
        if let enhancedLowDelay {
            if enhancedLowDelay.surroundBytes != nil { return "AAC-ELD v2" }
            return enhancedLowDelay.sbr == nil ? "AAC-ELD" : "AAC-ELD with SBR"
        }
        if objectType == .aacLD { return "AAC-LD" }
        guard objectType == .aacLC, extensionConfig.hasSBR == true else { return objectType.description }
        return extensionConfig.hasParametricStereo == true ? "HE-AAC v2" : "HE-AAC"
    }
}
