// SPDX-License-Identifier: Apache-2.0

/// The vectors of an adaptive codebook, derived from its memory (RFC 3951, 3.6.3).
package struct AdaptiveCodebook: Sendable {
    /// The codebook memory (`base_cb`).
    private let base: [Float]

    /// The filtered memory of the expanded codebook (`exp_cb`).
    private let expanded: [Float]

    /// The number of samples per vector: 22, 23 or 40 (`lTarget`).
    let vectorLength: Int

    /// The number of plain vectors (parts of the memory) per section.
    private let plainCount: Int

    /// The number of vectors per section, including augmented ones.
    private let sectionCount: Int

    /// Creates a codebook.
    ///
    /// - Parameter memory: The samples next to the target in coding direction, the latest last.
    package init(memory: [Float], vectorLength: Int) {
        base = memory
        self.vectorLength = vectorLength
        plainCount = memory.count - vectorLength + 1
        sectionCount = plainCount + (vectorLength == ILBCMode.subblockLength ? ILBCMode.subblockLength / 2 : 0)
        expanded = Self.expand(memory)
    }

    /// Returns the filtered memory, with zeros outside it (3.6.3.2).
    private static func expand(_ memory: [Float]) -> [Float] {
        let filter = QuantizerTables.expansion
        return memory.indices.map { index in
            var sum: Float = 0
            for (tap, factor) in filter.enumerated() {
                let position = index - 3 + tap
                if memory.indices.contains(position) { sum += factor * memory[position] }
            }
            return sum
        }
    }

    /// The number of base, augmented base, expanded and augmented expanded vectors.
    package var vectorCount: Int { 2 * sectionCount }

    package static func vector(forIndex index: Int, stage: Int, segment: CodebookSegment) -> Int {
        // These stages have 44 + 20 vectors per section, the others 108 + 20 (Table 3.1).
        guard segment.isFirstSubblock, stage > 0 else { return index }
        switch index {
        case ..<44: return index
        case ..<108: return index + 64
        default: return index + 128
        }
    }

    /// Returns the bitstream index for a vector, or `nil` if the stage does not use the vector.
    package static func index(forVector vector: Int, stage: Int, segment: CodebookSegment) -> Int? {
        guard segment.isFirstSubblock, stage > 0 else { return vector < 256 ? vector : nil }
        switch vector {
        case ..<44: return vector
        case 108..<172: return vector - 64
        case 236..<256: return vector - 128
        default: return nil
        }
    }

    /// Copies a vector, or zeros for numbers after the last vector.
    package func copyVector(_ number: Int, to vector: inout [Float]) {
        let isExpanded = number >= sectionCount
        let offset = isExpanded ? number - sectionCount : number
        if isExpanded { copy(offset, of: expanded, to: &vector) } else { copy(offset, of: base, to: &vector) }
    }

    private func copy(_ number: Int, of memory: [Float], to vector: inout [Float]) {
        let end = memory.count
        if number < plainCount {
            let start = end - vectorLength - number
            for index in 0..<vectorLength { vector[index] = memory[start + index] }
        } else if number < sectionCount {
            copyAugmented(delay: ILBCMode.subblockLength / 2 + number - plainCount, of: memory, to: &vector)
        } else {
            for index in 0..<vectorLength { vector[index] = 0 }
        }
    }

    /// Copies an augmented vector for a delay of 20 to 39, which repeats the end of the memory with five interpolated samples (3.6.3.3).
    private func copyAugmented(delay: Int, of memory: [Float], to vector: inout [Float]) {
        let start = memory.count - delay
        let interpolated = delay - 5
        for index in 0..<interpolated { vector[index] = memory[start + index] }
        for index in 0..<5 {
            let weight = 0.2 * Float(index)
            vector[interpolated + index] = (1 - weight) * memory[memory.count - 5 + index] + weight * memory[start - 5 + index]
        }
        for index in delay..<vectorLength { vector[index] = memory[start + index - delay] }
    }
}
