// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// Decodes AAC, one access unit after the other, to 32-bit floating point.
///
/// Each unit gives ``frameLength`` sample frames from the first one on; what the encoder put in front of the sound (its priming) is
/// included. Units from strangers are safe to decode: damage never traps, and is made up for from what came before.
/// An instance may be used from one thread at a time. ISO/IEC 14496-3:2009, subpart 4.
public final class AACDecoder {
    /// The stream's configuration.
    public let configuration: AudioSpecificConfig

    /// What the caller asked for.
    public let options: AACDecoderOptions

    private var state: DecoderState
    /// Whether there is no unit decoded last.
    private var isDamaged = true

    /// The speakers of the channels that come out; nil if they have no names, or while no unit has told the layout.
    public private(set) var channelLayout: ChannelLayout?

    /// Makes a decoder for a stream.
    ///
    /// Throws what the configuration asks for and this decoder lacks.
    public init(_ configuration: AudioSpecificConfig, options: AACDecoderOptions = AACDecoderOptions()) throws(AACError) {
        self.configuration = configuration
        self.options = options
        guard let profile = CodingProfile(configuration.objectType), let frameLength = configuration.frameLength else {
            throw .unsupportedObjectType(configuration.objectType.rawValue)
        }
        let index = SamplingFrequencyIndex(nearestTo: configuration.sampleRate).rawValue
        let bands = ScaleFactorBands(samplingFrequencyIndex: index, frameLength: frameLength)
        var layout = ElementLayout()
        if let channels = configuration.channelConfiguration {
            layout = ElementLayout(channels)
        } else if let program = configuration.programConfig {
            layout = try ElementLayout(program)
        }
        state = DecoderState(profile: profile, bands: bands, layout: layout)
        state.program = configuration.programConfig
        state.replication.terms = BandReplication.Terms(configuration, coreFrameLength: frameLength)
        state.startReplication(hasPayload: false)
        updateOutput()
    }

    /// The sample rate of what comes out, in hertz.
    public var sampleRate: Int { state.replication.isActive ? state.replication.sampleRate : configuration.sampleRate }

    /// The number of channels that come out; 0 while no unit has told the layout.
    public var channelCount: Int { state.mixer.outputCount }

    /// The sample frames that come out of each unit.
    public var frameLength: Int { state.outputFrameLength }

    /// Sample frames by which the output is later than that of a decoder without delay.
    public var delay: Int { state.replication.isActive ? state.replication.delay : 0 }

    /// The places of the elements in the unit that was decoded last, for the checksum of ADTS; empty if there was damage.
    public var elementSpans: [ElementSpan] { (0..<state.spanCount).map { state.spans[$0] } }

    /// The tools that the unit decoded last uses, element by element; empty if there was damage.
    ///
    /// Made on demand: the list is allocated.
    public var codingTools: [ElementTools] { isDamaged ? [] : state.codingTools() }

    /// Forgets what came before, as after a jump in the stream; the first unit is then the beginning of a fade-in.
    public func reset() { state.reset() }

    /// Decodes a unit, or the first raw data block of it.
    ///
    /// A buffer that does not have the right rate, channels and capacity is replaced; all others keep their storage, so that nothing is
    /// allocated. A damaged unit is concealed and the reason returned. No frames come out while the layout is unknown.
    public func decode(_ unit: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodedUnit {
        var damage: AACError?
        let layoutVersion = state.layoutVersion &+ state.replication.version
        do throws(AACError) {
            try state.decode(unit)
        } catch {
            damage = error
            state.spanCount = 0
            state.conceal()
        }
        isDamaged = damage != nil
        if state.layoutVersion &+ state.replication.version != layoutVersion { updateOutput() }
        let byteCount = damage == nil ? state.reader.bitPosition / 8 : unit.count
        return DecodedUnit(damage: damage, byteCount: byteCount, hasNewFormat: deliver(into: &buffer))
    }

    /// Makes up for a unit that did not arrive.
    public func conceal(into buffer: inout PCMBuffer) -> DecodedUnit {
        isDamaged = true
        state.conceal()
        return DecodedUnit(damage: nil, byteCount: 0, hasNewFormat: deliver(into: &buffer))
    }

    /// Puts the samples into the buffer, a new one if need be; returns whether it is.
    private func deliver(into buffer: inout PCMBuffer) -> Bool {
        guard channelCount > 0 else {
            buffer.setFrameCount(0)
            return false
        }
        let fits = buffer.sampleRate == sampleRate && buffer.channelCount == channelCount && buffer.frameCapacity >= frameLength
        if !fits { buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: frameLength) }
        buffer.setFrameCount(frameLength)
        let stride = buffer.frameCapacity
        var samples = buffer.samples.mutableSpan
        state.mix(into: &samples, stride: stride)
        return !fits
    }

    /// Derives what comes out from what is coded.
    private func updateOutput() {
        let count = state.outputChannelCount
        let coded =
            state.replication.isStereo
            ? ChannelLayout([.left, .right])
            : state.program?.channelLayout ?? configuration.channelLayout ?? state.layout.impliedChannelLayout
        channelLayout = coded
        guard let coded, coded.channelCount == count else {
            channelLayout = nil
            return state.mixer = ChannelMixer(sources: Array(0..<count))
        }
        let target = options.downmix == .mono ? 1 : options.downmix == .stereo ? 2 : count
        if target < count {
            state.mixer = ChannelMixer(mixing: coded, toMono: target == 1, matrix: state.program?.matrixMixdown)
            channelLayout = ChannelLayout(target == 1 ? [.center] : [.left, .right])
        } else if options.channelOrder == .wav {
            let ordered = coded.inWAVOrder
            state.mixer = ChannelMixer(sources: ordered.permutation(from: coded) ?? Array(0..<count))
            channelLayout = ordered
        } else {
            state.mixer = ChannelMixer(sources: Array(0..<count))
        }
    }
}
