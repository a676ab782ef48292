// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// Chooses the window sequence of each frame of an element, with one frame of look-ahead (ISO/IEC 14496-3:2009, 4.6.11.3.2).
///
/// A start window must precede short windows and a stop window must follow them, so a frame's sequence depends on both neighbours.
package struct WindowPlanner {
    private var wasShort = false

    private var isShort = false

    /// Whether short windows are requested for the next frame.
    private var nextIsShort = false

    package init() {}

    /// Advances to the next frame and returns its window sequence.
    ///
    /// - Parameter attackAhead: Whether the frame after the returned one should have short windows.
    package mutating func advance(attackAhead: Bool) -> WindowSequence {
        wasShort = isShort
        isShort = nextIsShort
        nextIsShort = attackAhead
        if wasShort && nextIsShort { isShort = true }
        if isShort { return .eightShort }
        if nextIsShort { return .longStart }
        return wasShort ? .longStop : .onlyLong
    }
}
