// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The configuration that a decoder needs before the first access unit (`AudioSpecificConfig`, ISO/IEC 14496-3:2009, 1.6.2.1).
public struct AudioSpecificConfig: Hashable, Sendable {
    /// The signalling of SBR and PS (ISO/IEC 14496-3:2009, 1.6.5).
    public enum ExtensionSignaling: Hashable, Sendable {
        /// Implicit: none; a decoder detects them in the stream.
        case implicit
        /// Explicit and backward compatible: after the core's configuration (`syncExtensionType`), which AAC-LC decoders ignore.
        case backwardCompatible
        /// Explicit and hierarchical: by object type 5 or 29.
        case hierarchical
    }

    /// SBR and PS, as far as they are signalled: the cases are what a configuration can say.
    public enum Extension: Hashable, Sendable {
        /// Nothing is signalled; a decoder detects SBR and PS in the stream.
        case implicit
        /// There is no SBR, as `syncExtensionType` says after the core's configuration.
        case absent
        /// SBR with its output rate in hertz, signalled after the core's configuration; PS is present, absent or, with nil, not signalled.
        case backwardCompatible(sampleRate: Int, hasParametricStereo: Bool?)
        /// SBR with its output rate in hertz, signalled by object type 5; with PS, by 29. Type 5 does not say that there is no PS.
        case hierarchical(sampleRate: Int, hasParametricStereo: Bool)

        /// The kind of signalling.
        public var signaling: ExtensionSignaling {
            switch self {
            case .implicit: .implicit
            case .absent, .backwardCompatible: .backwardCompatible
            case .hierarchical: .hierarchical
            }
        }

        /// Whether SBR is present; nil if not signalled.
        public var hasSBR: Bool? { self == .implicit ? nil : self != .absent }

        /// Whether parametric stereo is present; nil if not signalled.
        public var hasParametricStereo: Bool? {
            switch self {
            case .implicit, .absent: nil
            case .backwardCompatible(_, let hasParametricStereo): hasParametricStereo
            case .hierarchical(_, let hasParametricStereo): hasParametricStereo ? true : nil
            }
        }

        /// The output rate of SBR in hertz; nil if not signalled.
        public var sampleRate: Int? {
            switch self {
            case .implicit, .absent: nil
            case .backwardCompatible(let sampleRate, _), .hierarchical(let sampleRate, _): sampleRate
            }
        }
    }

    /// The part that depends on the object type.
    package enum SpecificConfig: Hashable, Sendable {
        /// The AAC family.
        case generalAudio(GASpecificConfig)
        // Small builds have no low delay and no USAC: what is in their streams is opaque.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        /// AAC-ELD.
        case enhancedLowDelay(ELDSpecificConfig)
        #endif
        #if !hasFeature(Embedded) || LINNET_USAC
        /// Unified speech and audio coding (xHE-AAC).
        case usac(USACConfig)
        #endif
        /// Bits kept as they are, for types that are known by name only.
        case opaque(bytes: [UInt8], bitCount: Int)
    }

    /// Sample rates that a configuration may carry, in hertz.
    package static let sampleRateRange = 1...192_000

    /// The object type of the core, never SBR or PS.
    public var objectType: AudioObjectType
    /// The sample rate of the core in hertz.
    public var sampleRate: Int
    /// The channel configuration of the core; nil: the layout is in a PCE, here or in the stream.
    public var channelConfiguration: ChannelConfiguration?
    /// SBR and PS.
    public var extensionConfig: Extension
    /// The part that depends on the object type.
    package var specificConfig: SpecificConfig

    /// Creates a configuration of the AAC family.
    public init(
        objectType: AudioObjectType = .aacLC, sampleRate: Int, channelConfiguration: ChannelConfiguration?,
        extensionConfig: Extension = .implicit
    ) {
        self.init(
            objectType: objectType, sampleRate: sampleRate, channelConfiguration: channelConfiguration, generalAudio: GASpecificConfig(),
            extensionConfig: extensionConfig)
    }

    /// Creates a configuration of the AAC family; a PCE replaces the channel configuration.
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
    /// Creates a configuration of AAC-ELD.
    package init(sampleRate: Int, channelConfiguration: ChannelConfiguration, enhancedLowDelay: ELDSpecificConfig) {
        objectType = .aacELD
        self.sampleRate = sampleRate
        self.channelConfiguration = channelConfiguration
        extensionConfig = .absent
        specificConfig = .enhancedLowDelay(enhancedLowDelay)
    }
    #endif

    /// The common part of the AAC family; nil for types known by name only.
    package var generalAudio: GASpecificConfig? {
        guard case .generalAudio(let config) = specificConfig else { return nil }
        return config
    }

    /// The configuration of AAC-ELD; nil for other types.
    package var enhancedLowDelay: ELDSpecificConfig? {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        guard case .enhancedLowDelay(let config) = specificConfig else { return nil }
        return config
        #else
        return nil
        #endif
    }

    /// The flags of error resilience of AAC-LD and AAC-ELD; all false for other types.
    package var errorResilience: ErrorResilience {
        if let enhancedLowDelay { return enhancedLowDelay.resilience }
        var resilience = ErrorResilience()
        guard let data = generalAudio?.extensionData else { return resilience }
        resilience.hasVirtualCodebooks = data.resilientSectionData
        resilience.hasReversibleScaleFactors = data.resilientScaleFactorData
        resilience.hasReorderedSpectrum = data.resilientSpectralData
        return resilience
    }

    /// The configuration of USAC; nil for other types.
    package var usac: USACConfig? {
        #if !hasFeature(Embedded) || LINNET_USAC
        guard case .usac(let config) = specificConfig else { return nil }
        return config
        #else
        return nil
        #endif
    }

    /// Sample frames of the core in an access unit: 1024 or 960, in low delay 512 or 480; of the output in USAC; nil for types known by name only.
    public var frameLength: Int? {
        if let usac { return usac.frameLength }
        if let enhancedLowDelay { return enhancedLowDelay.frameLength }
        guard let generalAudio else { return nil }
        let full = objectType == .aacLD ? 512 : 1024
        return generalAudio.usesShortFrame ? full * 15 / 16 : full
    }

    /// The PCE, where the channel configuration is 0 and the configuration has one.
    package var programConfig: ProgramConfigElement? { generalAudio?.programConfig }

    /// The number of channels of the core; nil while it is known from the stream only.
    public var channelCount: Int? { usac?.channelCount ?? channelConfiguration?.channelCount ?? programConfig?.channelCount }

    /// The speakers of the core's channels in the order of its elements; nil while unknown or without names.
    public var channelLayout: ChannelLayout? {
        if let usac { return usac.channelLayout }
        return channelConfiguration?.decodedLayout ?? programConfig?.channelLayout
    }

    /// Whether the speakers follow from channel configuration 7, which encoders use in two ways (``ChannelConfiguration/decodedLayout``).
    package var hasAmbiguousLayout: Bool { usac == nil && channelConfiguration?.rawValue == 7 }

    /// The rate of the output in hertz as far as the configuration says: SBR's, else the core's.
    public var outputSampleRate: Int {
        if enhancedLowDelay?.sbr?.isDualRate == true { return 2 * sampleRate }
        return extensionConfig.hasSBR == true ? extensionConfig.sampleRate ?? sampleRate : sampleRate
    }

    /// The usual name of the profile: "AAC LC", "HE-AAC", "HE-AAC v2", "AAC-ELD", "xHE-AAC" and so on.
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
