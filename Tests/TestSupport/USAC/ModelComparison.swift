// SPDX-License-Identifier: Apache-2.0

/// The result of comparing a tool with its model on random input, and with the faulty models.
package struct ModelComparison: CustomStringConvertible {
    /// The largest difference of tool and model, in decibels relative to the signal, and the seed of its input.
    package private(set) var worst = (decibels: -Double.infinity, seed: UInt64(0))
    /// The largest difference of the tool and each faulty model.
    package private(set) var faults: [(fault: PlantedFault, decibels: Double)] = []

    /// Compares a tool with its model for each seed, and with the faulty models for the first seeds.
    ///
    /// - Parameters:
    ///   - faults: The faults that the input can show.
    ///   - faultSeedCount: The number of seeds for the faulty models.
    ///   - compare: Compares the tool with its model for a seed; with a fault, if there is one.
    package init(
        seeds: Range<UInt64>, faults: [PlantedFault] = PlantedFault.allCases, faultSeedCount: Int = .max,
        _ compare: (_ seed: UInt64, _ fault: PlantedFault?) throws -> ModelError
    ) rethrows {
        for seed in seeds {
            let error = try compare(seed, nil)
            let decibels = error.signal > 0 ? error.decibels : .infinity
            // Nothing is greater than a value that is no number.
            if !(decibels <= worst.decibels) { worst = (decibels, seed) }
        }
        for fault in faults {
            self.faults.append((fault, try seeds.prefix(faultSeedCount).map { try compare($0, fault).decibels }.max() ?? -.infinity))
        }
    }

    /// Returns whether tool and model agree, and each fault makes a difference that is ten times the tolerated one.
    ///
    /// - Parameter tolerance: The largest difference, in decibels.
    package func agrees(below tolerance: Double) -> Bool {
        worst.decibels < tolerance && faults.allSatisfy { $0.decibels > tolerance + 20 }
    }

    package var description: String {
        "seed \(worst.seed): \(worst.decibels) dB; " + faults.map { "\($0.fault): \($0.decibels) dB" }.joined(separator: ", ")
    }
}
