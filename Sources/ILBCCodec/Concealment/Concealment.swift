// SPDX-License-Identifier: Apache-2.0

/// Excitation in the place of lost frames, and its transition to the next frame received (RFC 3951 4.5).
///
/// The text leaves the method open. This one repeats the last pitch period mixed with noise, and fades it out.
struct Concealment: Sendable {
    private let mode: ILBCMode

    /// The latest excitation that was received.
    private var history = [Float](repeating: 0, count: PeriodAnalysis.sampleCount)

    /// The substitute of the frames lost since the last one received.
    private var substitute: ExcitationSubstitute?

    /// The samples over which a substitute fades into a received frame: one sub-block.
    private static let overlap = ILBCMode.subblockLength

    /// Creates a concealment before the first frame.
    init(mode: ILBCMode) { self.mode = mode }

    /// Keeps the excitation of a received frame for later losses; after a loss, changes its beginning so that it continues the substitute.
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

    /// Returns the excitation in the place of a lost frame.
    mutating func nextSubstitute() -> [Float] {
        var current = substitute ?? ExcitationSubstitute(continuing: history)
        let excitation = current.next(mode.samplesPerFrame)
        substitute = current
        return excitation
    }
}
