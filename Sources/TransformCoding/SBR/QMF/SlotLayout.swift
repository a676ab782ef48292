// SPDX-License-Identifier: Apache-2.0

/// The division of a frame into time slots, and of these into QMF slots (ISO/IEC 14496-3:2009, 4.6.18.2.5).
package struct SlotLayout: Hashable, Sendable {
    /// `numTimeSlots`: the number of time slots per frame, 16 for core frames of 1024 samples and 15 for 960.
    package let slotCount: Int
    /// The number of samples per core frame, 1024 or 960.
    package let coreFrameLength: Int
    /// `RATE`: the number of QMF slots per time slot, 2, in enhanced SBR at 4:1 4, in low delay SBR 1.
    package let qmfSlotsPerTimeSlot: Int
    /// The number of subbands in analysis, which equals the samples per QMF slot: 32, in enhanced SBR also 24 or 16.
    package let analysisBandCount: Int
    #if !hasFeature(Embedded) || LINNET_LOW_DELAY
    /// The filter bank.
    ///
    /// Any bank except the standard one makes the layout a low delay layout.
    package private(set) var bank = QMFBank.standard
    #else
    /// The standard filter bank.
    ///
    /// Small builds do not support low delay SBR.
    package var bank: QMFBank { .standard }
    #endif

    /// The maximum extension of the last envelope into the next frame, in time slots (`bs_var_bord_1`).
    package static var tailSlotCount: Int { 3 }

    /// Creates the layout for an SBR sample rate of twice the core sample rate.
    ///
    /// - Parameter coreFrameLength: The number of samples per core frame, 1024 or 960.
    package init(coreFrameLength: Int) {
        self.coreFrameLength = coreFrameLength
        qmfSlotsPerTimeSlot = 2
        analysisBandCount = QMFAnalysis.bandCount
        slotCount = coreFrameLength / (QMFAnalysis.bandCount * qmfSlotsPerTimeSlot)
    }

    /// Creates the layout for enhanced SBR, with 16 time slots (ISO/IEC 23003-3, 7.5).
    ///
    /// - Parameters:
    ///   - coreFrameLength: The number of samples per core frame, 1024 or 768.
    ///   - analysisBandCount: The number of subbands in analysis: 32, 24 or 16.
    package init(coreFrameLength: Int, analysisBandCount: Int) {
        self.coreFrameLength = coreFrameLength
        self.analysisBandCount = analysisBandCount
        slotCount = 16
        qmfSlotsPerTimeSlot = coreFrameLength / (analysisBandCount * slotCount)
    }

    /// Creates the layout for low delay SBR, with one QMF slot per time slot (ISO/IEC 14496-3:2009, 4.6.19).
    ///
    /// - Parameters:
    ///   - frameLength: The number of samples per core frame, 512 or 480.
    ///   - bank: A low delay filter bank.
    ///   - analysisBandCount: The number of subbands in analysis: 32, or without SBR also 64.
    package init(lowDelayFrameLength frameLength: Int, bank: QMFBank = .lowDelay, analysisBandCount: Int = QMFAnalysis.bandCount) {
        coreFrameLength = frameLength
        qmfSlotsPerTimeSlot = 1
        self.analysisBandCount = analysisBandCount
        slotCount = frameLength / analysisBandCount
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        self.bank = bank
        #endif
    }

    package var isLowDelay: Bool { bank != .standard }

    /// `t_HFGen`: the number of retained QMF slots of the previous frame's low band.
    package var historyCount: Int { isLowDelay ? 2 : qmfSlotsPerTimeSlot == 4 ? 14 : LowBandSlots.historyCount }

    /// The number of QMF slots over which linear prediction is computed.
    package var predictionQMFSlotCount: Int { qmfSlotCount + (isLowDelay ? 0 : 3 * qmfSlotsPerTimeSlot) }

    var tables: QMFTables { QMFTables.tables(bank) }

    package var qmfSlotCount: Int { qmfSlotsPerTimeSlot * slotCount }
    /// The maximum extension of the last envelope into the next frame, in QMF slots.
    var tailQMFSlotCount: Int { qmfSlotsPerTimeSlot * Self.tailSlotCount }
    /// The number of QMF slots per frame, rounded up to groups of four, which the filter banks transform at once.
    package var groupedQMFSlotCount: Int { (qmfSlotCount + 3) & ~3 }
    /// The maximum number of QMF slots that a frame leaves over or lacks when processed in complete groups of four.
    package var groupRest: Int { groupedQMFSlotCount - qmfSlotCount }
}
