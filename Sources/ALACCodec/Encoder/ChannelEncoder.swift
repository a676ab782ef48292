// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Encodes one channel of an element, with storage that all packets share.
struct ChannelEncoder {
    private let configuration: ALACConfiguration
    /// The samples to predict; the first ``frameCount`` are valid.
    private var signal: ContiguousArray<Int32>
    private var residuals: ContiguousArray<Int32>
    private var trialResiduals: ContiguousArray<Int32>
    private var parameters = PredictorParameters(maximumOrder: SignalCorrelation.maximumLag)
    private var trialParameters = PredictorParameters(maximumOrder: SignalCorrelation.maximumLag)
    private var frameCount = 0

    /// The coefficient counts to try.
    private static let orders = [8, 4]
    /// The number of fractional bits of the coefficients.
    private static let coefficientShift = 9

    init(_ configuration: ALACConfiguration) {
        self.configuration = configuration
        signal = ContiguousArray(repeating: 0, count: configuration.frameLength)
        residuals = signal
        trialResiduals = signal
    }

    /// Replaces the signal by samples without their low bits.
    mutating func load(_ samples: Span<Int32>, lowBits: Int) {
        frameCount = samples.count
        var target = signal.mutableSpan
        for index in samples.indices { target[index] = samples[index] &>> Int32(lowBits) }
    }

    /// Mixes the signal of this channel with the second one's of a pair; see ``StereoMatrix/mix(_:_:frameCount:)``.
    mutating func mix(_ second: inout ChannelEncoder, _ matrix: StereoMatrix) -> Int32 {
        matrix.mix(&signal, &second.signal, frameCount: frameCount)
    }

    var correlation: SignalCorrelation { SignalCorrelation(of: signal.span.extracting(0..<frameCount)) }

    func correlation(minus other: ChannelEncoder) -> SignalCorrelation {
        SignalCorrelation(of: signal.span.extracting(0..<frameCount), minus: other.signal.span.extracting(0..<frameCount))
    }

    /// Finds the coefficients and residuals with the fewest bits.
    ///
    /// - Returns: The number of bits of the parameters and residuals.
    mutating func predict(_ correlation: SignalCorrelation, sampleBits: Int) -> Int {
        var best = Int.max
        for order in Self.orders {
            trialParameters.setCoefficients(correlation.coefficients(order: order), order: order, shift: Self.coefficientShift)
            let bitCount = tryParameters(sampleBits: sampleBits)
            guard bitCount < best else { continue }
            best = bitCount
            swap(&residuals, &trialResiduals)
            swap(&parameters, &trialParameters)
        }
        return best
    }

    /// Computes the trial residuals, and returns the number of bits of them and their parameters.
    private mutating func tryParameters(sampleBits: Int) -> Int {
        let predictor = AdaptivePredictor(trialParameters, sampleBits: sampleBits)
        predictor.subtract(from: signal, into: &trialResiduals, frameCount: frameCount)
        var counter = BitCounter()
        trialParameters.write(to: &counter)
        var writer = ResidualWriter(configuration, historyFactor: trialParameters.historyFactor, residualBits: sampleBits)
        writer.write(trialResiduals.span.extracting(0..<frameCount), to: &counter)
        return counter.bitCount
    }

    func writeParameters(to writer: inout BitWriter) { parameters.write(to: &writer) }

    func writeResiduals(sampleBits: Int, to writer: inout BitWriter) {
        var residualWriter = ResidualWriter(configuration, historyFactor: parameters.historyFactor, residualBits: sampleBits)
        residualWriter.write(residuals.span.extracting(0..<frameCount), to: &writer)
    }
}
