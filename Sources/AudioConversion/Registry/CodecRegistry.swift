// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives

/// The encoders and decoders of this process, searched by codec and order of preference.
///
/// ```swift
/// let registry = CodecRegistry()
/// let encoder = try registry.codec(.encoder, .mpeg4AAC, preferring: [.appleHardware], allowsFallback: true)
/// let bitRates = encoder.applicableBitRates(sampleRate: 48_000, channelCount: 2)
/// ```
public struct CodecRegistry: Sendable {
    /// All descriptions, with encoders before decoders of each codec.
    public let codecs: [CodecDescription]

    /// Lists the codecs of this process.
    ///
    /// Tries to load run-time libraries.
    public init() {
        var codecs = CodecDescription.aacCodecs + CodecDescription.usacCodecs
        #if canImport(Darwin)
        codecs += CodecDescription.systemCodecs
        #endif
        self.codecs = codecs + CodecDescription.opusCodecs + CodecDescription.alacCodecs + CodecDescription.ilbcCodecs
    }

    /// Creates a registry of other codecs.
    ///
    /// - Parameter codecs: The descriptions, in default order of preference.
    package init(_ codecs: [CodecDescription]) { self.codecs = codecs }

    /// Returns the codecs of a kind.
    ///
    /// - Parameters:
    ///   - kind: Encoders or decoders.
    ///   - formatID: The Core Audio format ID, or `nil` for all.
    public func codecs(_ kind: CodecDescription.Kind, _ formatID: FourCharCode? = nil) -> [CodecDescription] {
        codecs.filter { $0.kind == kind && (formatID == nil || $0.formatID == formatID) }
    }

    /// Returns the available codec with the most preferred implementation.
    ///
    /// Hardware is used only on request.
    ///
    /// - Parameters:
    ///   - kind: Encoder or decoder.
    ///   - formatID: The Core Audio format ID.
    ///   - makers: The implementations in order of preference. If empty, any in software.
    ///   - allowsFallback: Whether to fall back to any other software implementation.
    /// - Returns: The description.
    /// - Throws: `CodecError.unavailableCodec` if none is available.
    public func codec(
        _ kind: CodecDescription.Kind, _ formatID: FourCharCode, preferring makers: [CodecDescription.Maker] = [],
        allowsFallback: Bool = false
    ) throws(CodecError) -> CodecDescription {
        let candidates = codecs(kind, formatID).filter(\.isAvailable)
        for maker in makers {
            if let match = candidates.first(where: { $0.maker == maker }) { return match }
        }
        if allowsFallback || makers.isEmpty, let match = candidates.first(where: { !$0.maker.isHardware }) { return match }
        let wanted = makers.isEmpty ? CodecDescription.Maker.allCases : makers
        throw .unavailableCodec(
            formatID, kind: kind.rawValue, makers: wanted.map(\.rawValue), available: candidates.map(\.maker.rawValue))
    }

    /// Creates an encoder with the preferred implementation.
    ///
    /// - Parameters:
    ///   - configuration: The encoder's parameters.
    ///   - makers: The implementations in order of preference. If empty, any in software.
    ///   - allowsFallback: Whether to fall back to any other software implementation.
    /// - Returns: The encoder.
    /// - Throws: `CodecError.unavailableCodec` if none is available; the codec's error if it rejects a parameter.
    public func makeEncoder(
        _ configuration: AudioEncoderConfiguration, preferring makers: [CodecDescription.Maker] = [], allowsFallback: Bool = false
    ) throws(CodecError) -> any AudioPacketEncoder {
        let codec = try codec(.encoder, configuration.formatID, preferring: makers, allowsFallback: allowsFallback)
        return try Self.makeEncoder(configuration, by: codec.maker)
    }

    /// Creates an encoder with a given implementation.
    private static func makeEncoder(
        _ configuration: AudioEncoderConfiguration, by maker: CodecDescription.Maker
    ) throws(CodecError) -> any AudioPacketEncoder {
        #if canImport(Darwin)
        if case .aac(let configuration) = configuration, maker == .appleSoftware || maker == .appleHardware {
            return try SystemPacketEncoder(configuration, isHardware: maker.isHardware)
        }
        #endif
        return try configuration.makeEncoder()
    }

    /// Creates a decoder with the preferred implementation.
    ///
    /// - Parameters:
    ///   - configuration: The stream's configuration.
    ///   - makers: The implementations in order of preference. If empty, any in software.
    ///   - allowsFallback: Whether to fall back to any other software implementation.
    /// - Returns: The decoder.
    /// - Throws: `CodecError.unavailableCodec` if none is available; the codec's error if it does not support the stream.
    public func makeDecoder(
        _ configuration: CodecConfiguration, preferring makers: [CodecDescription.Maker] = [], allowsFallback: Bool = false
    ) throws(CodecError) -> any AudioPacketDecoder {
        _ = try codec(.decoder, configuration.formatID, preferring: makers, allowsFallback: allowsFallback)
        return try configuration.makeDecoder()
    }
}
