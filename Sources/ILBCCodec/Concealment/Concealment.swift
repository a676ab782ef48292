// SPDX-License-Identifier: Apache-2.0

/// Substitute excitation for lost frames, and its transition to the next received frame (RFC 3951, 4.5).
///
/// RFC 3951 leaves the method open. This one repeats the last pitch period mixed with noise, and fades out.
struct Concealment: Sendable {
    private let mode: ILBCMode

    /// The latest received excitation.
    private var history = [Float](repeating: 0, count: PeriodAnalysis.sampleCount)

    /// The substitute for the frames lost since the last received one.
    private var substitute: ExcitationSubstitute?

    /// The crossfade from a substitute to a received frame: one sub-block.
    private static let overlap = ILBCMode.subblockLength

    init(mode: ILBCMode) { self.mode = mode }

    /// Stores the excitation of a received frame for later losses.
    ///
    /// After a loss, crossfades from the substitute to the excitation.
    mutating func receive(_ excitation: inout [Float]) {
        if var substitute {
            substitute.alignPhase(with: excitation)
            let continuation = substitute.next(Self.overlap)
            for index in 0..<Self.overlap {
                let weight = (Float(index) + 0.5) / Float(Self.overlap)
                excitation[index] = weight * excitation[index] + (1 - weight) * continuation[index]
            }
            self.substitute = nil
        }
        if excitation.count < history.count { history.removeFirst(excitation.count) } else { history.removeAll(keepingCapacity: true) }
        history += excitation
    }

    /// Returns the excitation for a lost frame.
    mutating func nextSubstitute() -> [Float] {
        var current = substitute ?? ExcitationSubstitute(continuing: history)
        let excitation = current.next(mode.samplesPerFrame)
        substitute = current
        return excitation
    }
}
