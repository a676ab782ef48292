// SPDX-License-Identifier: Apache-2.0

/// The division of a frame into time slots, and of these into QMF columns (ISO/IEC 14496-3:2009, 4.6.18.2.5).
package struct SlotLayout: Hashable, Sendable {
    /// `numTimeSlots`: the time slots of a frame, 16 for core frames of 1024 samples and 15 for 960.
    package let slotCount: Int
    /// The samples of a core frame, 1024 or 960.
    package let coreFrameLength: Int
    /// `RATE`: the QMF columns of a time slot, 2, or 4 in enhanced SBR at 4:1.
    package let columnsPerSlot: Int
    /// The subbands of analysis, which are as many as samples in a column: 32, in enhanced SBR also 24 or 16.
    package let analysisBandCount: Int
    #if !hasFeature(Embedded) || LINNET_LOW_DELAY
    /// The filter bank; but for the standard one the layout is that of low delay SBR.
    package private(set) var bank = QMFBank.standard
    #else
    /// The standard one: small builds have no low delay.
    package var bank: QMFBank { .standard }
    #endif

    /// The greatest number of time slots by which the last envelope extends into the next frame (`bs_var_bord_1`).
    package static var tailSlotCount: Int { 3 }

    /// Makes the layout of a frame with an SBR sample rate of twice that of the core.
    ///
    /// - Parameter coreFrameLength: The samples of a core frame, 1024 or 960.
    package init(coreFrameLength: Int) {
        self.coreFrameLength = coreFrameLength
        columnsPerSlot = 2
        analysisBandCount = QMFAnalysis.bandCount
        slotCount = coreFrameLength / (QMFAnalysis.bandCount * columnsPerSlot)
    }

    /// Makes the layout of a frame of enhanced SBR, which has 16 time slots (ISO/IEC 23003-3, 7.5).
    ///
    /// - Parameters:
    ///   - coreFrameLength: The samples of a core frame, 1024 or 768.
    ///   - analysisBandCount: The subbands of analysis: 32, 24 or 16.
    package init(coreFrameLength: Int, analysisBandCount: Int) {
        self.coreFrameLength = coreFrameLength
        self.analysisBandCount = analysisBandCount
        slotCount = 16
        columnsPerSlot = coreFrameLength / (analysisBandCount * slotCount)
    }

    /// Makes the layout of a frame of low delay SBR, one column in each time slot (ISO/IEC 14496-3:2009, 4.6.19).
    ///
    /// - Parameters:
    ///   - frameLength: The samples of a core frame, 512 or 480.
    ///   - bank: A low delay filter bank.
    ///   - analysisBandCount: The subbands of analysis: 32, without SBR also 64.
    package init(lowDelayFrameLength frameLength: Int, bank: QMFBank = .lowDelay, analysisBandCount: Int = QMFAnalysis.bandCount) {
        coreFrameLength = frameLength
        columnsPerSlot = 1
        self.analysisBandCount = analysisBandCount
        slotCount = frameLength / analysisBandCount
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        self.bank = bank
        #endif
    }

    /// Whether the layout is that of low delay SBR.
    package var isLowDelay: Bool { bank != .standard }

    /// `t_HFGen`: the columns of the low band that are kept from the frame before.
    package var historyCount: Int { isLowDelay ? 2 : columnsPerSlot == 4 ? 14 : LowBandColumns.historyCount }

    /// The columns over which linear prediction runs.
    package var predictionColumnCount: Int { columnCount + (isLowDelay ? 0 : 3 * columnsPerSlot) }

    /// The tables of the filter banks.
    var tables: QMFTables { QMFTables.tables(bank) }

    /// The columns of a frame.
    package var columnCount: Int { columnsPerSlot * slotCount }
    /// The greatest number of columns by which the last envelope extends into the next frame.
    var tailColumnCount: Int { columnsPerSlot * Self.tailSlotCount }
    /// The columns of a frame, rounded up to whole groups of four, which the filter banks transform at once.
    package var groupedColumnCount: Int { (columnCount + 3) & ~3 }
    /// The greatest number of columns that a frame lacks or has left if all groups of four are whole.
    package var groupRest: Int { groupedColumnCount - columnCount }
}
