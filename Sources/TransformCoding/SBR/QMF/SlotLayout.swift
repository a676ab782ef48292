// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The division of a frame into time slots, and of these into QMF columns (ISO/IEC 14496-3:2009, 4.6.18.2.5).
package struct SlotLayout: Hashable, Sendable {
    /// `numTimeSlots`: the time slots of a frame, 16 for core frames of 1024 samples and 15 for 960.
    package let slotCount: Int
    /// The samples of a core frame, 1024 or 960.
    package let coreFrameLength: Int
    /// `RATE`: the QMF columns of a time slot.
    package let columnsPerSlot: Int

    /// The greatest number of time slots by which the last envelope extends into the next frame (`bs_var_bord_1`).
    package static let tailSlotCount = 3

    /// Makes the layout of a frame with an SBR sample rate of twice that of the core.
    ///
    /// - Parameter coreFrameLength: The samples of a core frame, 1024 or 960.
    package init(coreFrameLength: Int) {
        self.coreFrameLength = coreFrameLength
        columnsPerSlot = 2
        slotCount = coreFrameLength / (QMFAnalysis.bandCount * columnsPerSlot)
    }

    /// The columns of a frame.
    package var columnCount: Int { columnsPerSlot * slotCount }
    /// The greatest number of columns by which the last envelope extends into the next frame.
    package var tailColumnCount: Int { columnsPerSlot * Self.tailSlotCount }
    /// The columns of a frame, rounded up to whole groups of four, which the filter banks transform at once.
    package var groupedColumnCount: Int { (columnCount + 3) & ~3 }
    /// The greatest number of columns that a frame lacks or has left if all groups of four are whole.
    package var groupRest: Int { groupedColumnCount - columnCount }
}
