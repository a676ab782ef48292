// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformEncoding

extension AACEncoder {
    /// Encodes the frame that the full input block completes.
    ///
    /// The input block is the look-ahead. A frame's window covers the two previous blocks, which are silent for the first frame.
    ///
    ///     input ─► analyse ─► decide tools ─► plan bits ─► quantize ─► write ─► access unit
    ///                                              ▲            ▲           │
    ///                                              │            └─ coarsen ─┤
    ///                                              └──── bits of the frame ─┘
    ///
    /// After the analysis, the error of a trial encoding or a predicted error corrects the noise targets, depending on profile and effort.
    ///
    /// - Returns: Whether ``accessUnit`` is a new access unit. `false` before ``firstFrame`` and during a survey.
    func encodeFrame() -> Bool {
        let frame = nextFrame
        let position = segments.position(of: frame)
        nextFrame += 1
        updatePass(frame: frame)
        if pass == .repeated { repeatInput(frame: frame) } else { appendInput(position) }
        guard frame >= firstAnalyzedFrame else {
            skipFrame()
            return false
        }
        if position.isFirst { checkpoint = rate.checkpoint(accessUnitIndex: frame) }

        let noiseScale = rate.noiseScale
        analyze(position, noiseScale: noiseScale)
        #if !hasFeature(Embedded) || LINNET_USAC
        if frame >= firstFrame { rate.extraBits = startExtendedUnit(position) }
        #endif
        // A survey is as exact without corrections.
        if sizeEstimator == nil { correctTargets(frame: frame, noiseScale: noiseScale) }
        decideTools(position, noiseScale: noiseScale)
        guard frame >= firstFrame else { return false }
        var plan = planBits(noiseScale: noiseScale)
        guard sizeEstimator == nil else {
            estimateFrameSize(plan)
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
        let (limit, contentLimit) = (rate.maximumFrameBitCount, maximumContentBitCount)
        for attempt in 1..<Self.attemptLimit where writer.bitCount > limit || contentBits > contentLimit {
            requantizeCoarser(&plan, bits: contentBits, limit: min(limit - rate.extraBits, contentLimit), attempt: attempt)
            contentBits = write()
        }
        if writer.bitCount > limit && rate.isGrouped { contentBits = write(omitsSBR: true) }
        rate.advance(bits: writer.bitCount, content: contentBits)

        #if !hasFeature(Embedded) || LINNET_USAC
        extended?.finish(writer)
        #endif
        accessUnit.payload.removeAll(keepingCapacity: true)
        writer.append(to: &accessUnit.payload)
        accessUnit.presentationTime.value = Int64(frame) * Int64(framesPerPacket) - Int64(delay)
        return true
    }

    /// The maximum size of the next access unit without padding, in bits, beside the limit of the rate control.
    private var maximumContentBitCount: Int {
        #if !hasFeature(Embedded) || LINNET_USAC
        if let limit = extended?.maximumContentBitCount(rate.largestFrameBitCount) { return limit }
        #endif
        return .max
    }

    /// The maximum number of times that a frame is quantized and written.
    private static let attemptLimit = 20

    /// Passes the full input block to the elements, through the filter banks of PS and SBR.
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
        if pass == .recorded {
            for element in elements { element.recording?.appendBlocks(of: element.core) }
        }
        input.startBlock()
    }

    /// Passes the recorded blocks of a frame to the elements.
    private func repeatInput(frame: Int) {
        for element in elements { element.recording?.passBlocks(ofFrame: frame, to: &element.core) }
        input.startBlock()
    }

    /// Skips a frame before the first analysed one.
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
            element.core.analyze(
                tables, filterBank: &filterBank, effort: sizeEstimator == nil ? tables.effort : tables.effort.inSurvey,
                noiseScale: noiseScale, forcesSineWindow: position.touchesBoundary)
        }
    }

    /// Corrects the noise targets by the audible error of the frame on trial, by the error of the last trial, or by a predicted error.
    private func correctTargets(frame: Int, noiseScale: Float) {
        var hasTrial = false
        for element in elements {
            guard let trial = element.trial else { continue }
            trial.startFrame(isShort: element.core.layout.sequence == .eightShort, interval: tables.effort.trialInterval)
            if trial.isRunning {
                element.core.startAnalysisBySynthesis(trial, tables: tables, noiseScale: noiseScale)
                hasTrial = true
                continue
            }
            #if !hasFeature(Embedded) || LINNET_USAC
            if tables.effort.predictsErrors && frame % 2 == 0 {
                element.core.predictErrors(trial, noiseScale: noiseScale, tables: tables)
            }
            #endif
            element.core.correctTargets(trial, tables: tables)
        }
        guard hasTrial else { return }
        let plan = planBits(noiseScale: noiseScale)
        for element in elements {
            guard let trial = element.trial, trial.isRunning else { continue }
            element.core.finishAnalysisBySynthesis(trial, noiseScale: plan.noiseScale, tables: tables, filterBank: &filterBank)
        }
    }

    /// Decides the frame's coding tools and its SBR and PS parameters.
    private func decideTools(_ position: SegmentPosition, noiseScale: Float) {
        for element in elements {
            element.core.decideTools(tables, effort: tables.effort, noiseScale: noiseScale)
            if pass == .repeated { continue }
            element.sbr?.planFrame(isIndependent: isSBRIndependent(position), endsFixed: position.endsEnvelopes)
            element.stereo?.planFrame(isIndependent: isSBRIndependent(position))
            if pass == .recorded, let sbr = element.sbr { element.recording?.appendFillElement(sbr, stereo: element.stereo?.payload) }
        }
    }

    /// Returns whether the frame's SBR data does not depend on previous frames.
    private func isSBRIndependent(_ position: SegmentPosition) -> Bool {
        #if !hasFeature(Embedded) || LINNET_USAC
        if let isIndependent = extended?.isIndependent { return isIndependent }
        #endif
        return position.isIndependent
    }

    /// Chooses the frame's noise scale from its perceptual entropy and the rate control.
    @inline(never)
    private func planBits(noiseScale: Float) -> FramePlan {
        var entropy: Float = 0
        // Most frames of a survey are not quantized.
        let isQuantized = quantizesNext
        for element in elements {
            entropy += isQuantized ? element.core.prepare(noiseScale: noiseScale) : element.core.entropy(noiseScale: noiseScale)
        }
        return rate.plan(entropy: entropy) { noiseScale in elements.reduce(0) { $0 + $1.core.entropy(noiseScale: noiseScale) } }
    }

    func quantize(_ plan: FramePlan) {
        for element in elements { element.core.quantize(noiseScale: plan.noiseScale, effort: tables.effort) }
    }

    /// Requantizes a frame that exceeds its bit limit, with higher scale factors.
    ///
    /// In the last attempt it becomes silent: lines far above full scale exceed the limit with all scale factors.
    private func requantizeCoarser(_ plan: inout FramePlan, bits: Int, limit: Int, attempt: Int) {
        let isLast = attempt == Self.attemptLimit - 1
        let steps = isLast ? nil : plan.repair(bits: bits, limit: limit, attempt: attempt)
        for element in elements { element.core.requantizeCoarser(by: steps, noiseScale: plan.noiseScale, effort: tables.effort) }
    }

    /// Writes the frame, padded with fill elements up to the minimum size of the rate control.
    ///
    /// - Parameter omitsSBR: Whether to omit SBR data that does not fit. Decoders conceal it.
    /// - Returns: The size of the frame without fill elements, in bits.
    func write(omitsSBR: Bool = false) -> Int {
        #if !hasFeature(Embedded) || LINNET_USAC
        if extended != nil { return writeExtendedUnit() }
        #endif
        return write(to: &writer, elementSpans: &accessUnit.elementSpans, omitsSBR: omitsSBR)
    }

    /// Writes the frame.
    ///
    /// The writer is a parameter to avoid exclusivity checks on a class property.
    private func write(to writer: inout BitWriter, elementSpans: inout [ElementSpan], omitsSBR: Bool) -> Int {
        writer.reset()
        elementSpans.removeAll(keepingCapacity: true)
        for element in elements {
            elementSpans.append(element.core.write(to: &writer, tables: tables))
            if omitsSBR { continue }
            if pass == .repeated {
                element.recording?.write(frame: nextFrame - 1, to: &writer)
            } else {
                element.sbr?.write(to: &writer, stereo: element.stereo?.payload)
            }
        }
        guard tables.syntax.hasElementIDs else {
            let content = writer.bitCount
            // Zeros are extension payloads that decoders skip (`EXT_FILL`).
            while (writer.bitCount + 7) & ~7 < rate.minimumFrameBitCount { writer.write(0, count: 8) }
            writer.alignToByte()
            return content
        }
        // Rounded up to bytes, so that the padded frame does not exceed the maximum if minimum and maximum are equal.
        let content = writer.bitCount
        let smallest = (rate.minimumFrameBitCount + 7) & ~7
        FillElement.writePadding(bitCount: smallest - content - SyntacticElementID.bitCount, to: &writer)
        SyntacticElementID.end.write(to: &writer)
        writer.alignToByte()
        return content
    }
}
