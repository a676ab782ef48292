// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Chooses how each frame of an element is divided, with one frame of look-ahead.
struct WindowPlanner {
    /// Whether the frame before the current one had short windows.
    private var wasShort = false

    /// Whether the current frame and the one after want short windows.
    private var isShort = false
    private var nextIsShort = false

    /// Moves on to the next frame; `attackAhead` says whether the frame after it wants short windows.
    mutating func advance(attackAhead: Bool) -> WindowSequence {
        wasShort = isShort
        isShort = nextIsShort
        nextIsShort = attackAhead
        // A long window can't fall and rise like a short one at once.
        if wasShort && nextIsShort { isShort = true }
        if isShort { return .eightShort }
        if nextIsShort { return .longStart }
        return wasShort ? .longStop : .onlyLong
    }
}
