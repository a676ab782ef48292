// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives

/// The encoders and decoders of this process, asked by codec and in an order of preference.
///
/// ```swift
/// let registry = CodecRegistry()
/// let encoder = try registry.codec(.encoder, .mpeg4AAC, preferring: [.appleHardware], allowsFallback: true)
/// let bitRates = encoder.applicableBitRates(sampleRate: 48_000, channelCount: 2)
/// ```
public struct CodecRegistry: Sendable {
    /// All descriptions: encoders before decoders of each codec.
    public let codecs: [CodecDescription]

    /// Lists the codecs of this process; libraries that are loaded at run time are tried.
    public init() {
        var codecs = CodecDescription.aacCodecs + CodecDescription.usacCodecs
        #if canImport(Darwin)
        codecs += CodecDescription.systemCodecs
        #endif
        self.codecs = codecs + CodecDescription.opusCodecs + CodecDescription.alacCodecs + CodecDescription.ilbcCodecs
    }

    /// Creates a registry of other codecs.
    ///
    /// - Parameter codecs: The descriptions, in the order in which they are chosen without a preference.
    package init(_ codecs: [CodecDescription]) { self.codecs = codecs }

    /// Returns the codecs of a kind, with a code if one is given.
    ///
    /// - Parameters:
    ///   - kind: Encoders or decoders.
    ///   - formatID: The code of the codec in Core Audio; nil for all.
    public func codecs(_ kind: CodecDescription.Kind, _ formatID: FourCharCode? = nil) -> [CodecDescription] {
        codecs.filter { $0.kind == kind && (formatID == nil || $0.formatID == formatID) }
    }

    /// Returns the codec to use: the available one of the first maker that has it.
    ///
    /// Hardware is used only if it is asked for.
    ///
    /// - Parameters:
    ///   - kind: Encoder or decoder.
    ///   - formatID: The code of the codec in Core Audio.
    ///   - makers: The makers in order of preference; empty for any in software.
    ///   - allowsFallback: Whether any other maker in software is better than none.
    /// - Returns: The description.
    /// - Throws: `CodecError.unavailableCodec` if there is none.
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

    /// Makes an encoder by the maker that is preferred.
    ///
    /// - Parameters:
    ///   - configuration: The parameters of the encoder.
    ///   - makers: The makers in order of preference; empty for any in software.
    ///   - allowsFallback: Whether any other maker in software is better than none.
    /// - Returns: The encoder.
    /// - Throws: `CodecError.unavailableCodec` if no such maker has the codec;
    ///   the codec's error if it refuses a parameter.
    public func makeEncoder(
        _ configuration: AudioEncoderConfiguration, preferring makers: [CodecDescription.Maker] = [], allowsFallback: Bool = false
    ) throws(CodecError) -> any AudioPacketEncoder {
        let codec = try codec(.encoder, configuration.formatID, preferring: makers, allowsFallback: allowsFallback)
        return try Self.makeEncoder(configuration, by: codec.maker)
    }

    /// Makes an encoder by a maker.
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

    /// Makes a decoder by the maker that is preferred.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the stream.
    ///   - makers: The makers in order of preference; empty for any in software.
    ///   - allowsFallback: Whether any other maker in software is better than none.
    /// - Returns: The decoder.
    /// - Throws: `CodecError.unavailableCodec` if no such maker has the codec;
    ///   the codec's error if it does not support the stream.
    public func makeDecoder(
        _ configuration: CodecConfiguration, preferring makers: [CodecDescription.Maker] = [], allowsFallback: Bool = false
    ) throws(CodecError) -> any AudioPacketDecoder {
        _ = try codec(.decoder, configuration.formatID, preferring: makers, allowsFallback: allowsFallback)
        return try configuration.makeDecoder()
    }
}
