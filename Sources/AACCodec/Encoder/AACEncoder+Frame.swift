// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformEncoding

extension AACEncoder {
    /// Encodes the frame that the full input block completes.
    ///
    /// The input block is the look-ahead. A frame's window covers the two blocks before it, which are silent for the first frame.
    ///
    ///     input ─► analyse ─► decide tools ─► plan bits ─► quantise ─► write ─► access unit
    ///                                              ▲            ▲           │
    ///                                              │            └─ coarsen ─┤
    ///                                              └──── bits of the frame ─┘
    ///
    /// With the most effort the frame is coded on trial after its analysis, which corrects its noise targets.
    ///
    /// - Returns: Whether ``unit`` is a new access unit; not before the first frame that is passed to callers, nor in a survey.
    func encodeFrame() -> Bool {
        let frame = nextFrame
        let position = segments.position(of: frame)
        nextFrame += 1
        appendInput(position)
        guard frame >= firstAnalyzedFrame else {
            skipFrame()
            return false
        }
        if position.isFirst { checkpoint = rate.checkpoint(unit: frame) }

        let noiseScale = rate.noiseScale
        analyze(position, noiseScale: noiseScale)
        if setup.codesOnTrial && survey == nil { codeOnTrial(noiseScale: noiseScale) }
        decideTools(position, noiseScale: noiseScale)
        guard frame >= firstFrame else { return false }
        var plan = planBits(noiseScale: noiseScale)
        guard survey == nil else {
            surveyFrame(plan)
            return false
        }
        quantize(plan)
        var contentBits = write()
        rate.recordBits(contentBits, of: plan)
        if let corrected = rate.correctedPlan(plan, bits: contentBits) {
            for element in elements { element.core.requantize(noiseScale: corrected.noiseScale, effort: tables.effort) }
            plan = corrected
            contentBits = write()
        }
        let limit = rate.largestFrame
        for attempt in 1..<Self.attemptLimit where writer.bitCount > limit {
            coarsen(&plan, limit: limit, attempt: attempt)
            contentBits = write()
        }
        if writer.bitCount > limit && rate.isGrouped { contentBits = write(omitsReplication: true) }
        rate.advance(bits: writer.bitCount, content: contentBits)

        unit.payload.removeAll(keepingCapacity: true)
        writer.append(to: &unit.payload)
        unit.presentationTime.value = Int64(frame) * Int64(framesPerPacket) - Int64(delay)
        return true
    }

    /// The most times that a frame is quantised and written.
    private static let attemptLimit = 20

    /// Passes the full input block to the elements, through the filter banks of parametric stereo and SBR.
    private func appendInput(_ position: SegmentPosition) {
        var channel = 0
        for element in elements {
            if let stereo = element.stereo, let sbr = element.sbr {
                input.pass(to: stereo, sbr, core: &element.core, position: position)
                continue
            }
            for elementChannel in 0..<element.core.kind.channelCount {
                if let sbr = element.sbr {
                    input.pass(channel, to: sbr, core: &element.core, elementChannel: elementChannel)
                } else {
                    input.pass(channel, to: &element.core, elementChannel: elementChannel)
                }
                channel += 1
            }
        }
        input.startBlock()
    }

    /// Advances by a frame that only precedes the analysed ones.
    private func skipFrame() {
        for element in elements { element.core.skip(tables, filterBank: &filterBank) }
    }

    /// Analyses the frame: window decision, filter bank and psychoacoustic model.
    private func analyze(_ position: SegmentPosition, noiseScale: Float) {
        for element in elements {
            if position.isFirst {
                element.core.resetHistory()
                element.trial?.reset()
                element.sbr?.resetHistory()
                element.stereo?.resetHistory()
            }
            // A survey does without the bits that the other window shape saves.
            let keepsSine = position.touchesBoundary || survey != nil
            element.core.analyze(tables, filterBank: &filterBank, noiseScale: noiseScale, keepsSine: keepsSine)
        }
    }

    /// Codes the frame on trial, and corrects its noise targets by the audible error that this leaves.
    private func codeOnTrial(noiseScale: Float) {
        for element in elements {
            guard let trial = element.trial else { continue }
            element.core.beginTrial(trial, tables: tables, noiseScale: noiseScale)
        }
        let plan = planBits(noiseScale: noiseScale)
        for element in elements {
            guard let trial = element.trial else { continue }
            element.core.finishTrial(trial, noiseScale: plan.noiseScale, tables: tables, filterBank: &filterBank)
        }
    }

    /// Decides the coding tools of the frame, and the parameters of SBR and parametric stereo.
    private func decideTools(_ position: SegmentPosition, noiseScale: Float) {
        for element in elements {
            element.core.decideTools(tables, effort: tables.effort, noiseScale: noiseScale)
            element.sbr?.planFrame(isIndependent: position.isIndependent, endsFixed: position.endsEnvelopes)
            element.stereo?.planFrame(isIndependent: position.isIndependent)
        }
    }

    /// Chooses the noise scale of the frame from its perceptual entropy and the rate control.
    @inline(never)
    private func planBits(noiseScale: Float) -> FramePlan {
        var entropy: Float = 0
        for element in elements { entropy += element.core.prepare(noiseScale: noiseScale) }
        return rate.plan(entropy: entropy) { noiseScale in elements.reduce(0) { $0 + $1.core.entropy(noiseScale: noiseScale) } }
    }

    /// Quantises the frame.
    func quantize(_ plan: FramePlan) {
        for element in elements { element.core.quantize(noiseScale: plan.noiseScale, effort: tables.effort) }
    }

    /// Quantises a frame again that took too many bits, with higher scale factors.
    private func coarsen(_ plan: inout FramePlan, limit: Int, attempt: Int) {
        let steps = plan.repair(bits: writer.bitCount, limit: limit, attempt: attempt)
        for element in elements { element.core.coarsen(by: steps, noiseScale: plan.noiseScale, effort: tables.effort) }
    }

    /// Writes the frame, with fill elements if it is smaller than the rate control allows.
    ///
    /// - Parameter omitsReplication: Whether SBR is left out, which decoders conceal, since it has no room.
    /// - Returns: The bits of the frame without fill elements.
    func write(omitsReplication: Bool = false) -> Int {
        write(to: &writer, elementSpans: &unit.elementSpans, omitsReplication: omitsReplication)
    }

    /// Writes the frame; the writer is a parameter, since each access to a property of the class would be checked.
    private func write(to writer: inout BitWriter, elementSpans: inout [ElementSpan], omitsReplication: Bool) -> Int {
        writer.reset()
        elementSpans.removeAll(keepingCapacity: true)
        for element in elements {
            elementSpans.append(element.core.write(to: &writer, tables: tables))
            if !omitsReplication { element.sbr?.write(to: &writer, stereo: element.stereo?.payload) }
        }
        guard tables.syntax.hasElementIDs else {
            let content = writer.bitCount
            // Zeros are extension payloads that decoders skip (`EXT_FILL`).
            while (writer.bitCount + 7) & ~7 < rate.smallestFrame { writer.write(0, count: 8) }
            writer.alignToByte()
            return content
        }
        // Rounded up to bytes, so that a padded frame does not exceed the largest frame where that is the smallest too.
        let content = writer.bitCount
        let smallest = (rate.smallestFrame + 7) & ~7
        FillElement.writePadding(bitCount: smallest - content - SyntacticElementID.bitCount, to: &writer)
        SyntacticElementID.end.write(to: &writer)
        writer.alignToByte()
        return content
    }
}
