// SPDX-License-Identifier: Apache-2.0

/// The result of comparing a tool with its model, and with faulty models, on random input.
package struct ModelComparison: CustomStringConvertible {
    /// The largest difference between tool and model, in decibels relative to the signal, and the seed of its input.
    package private(set) var worst = (decibels: -Double.infinity, seed: UInt64(0))
    /// The largest difference between the tool and each faulty model.
    package private(set) var faults: [(fault: PlantedFault, decibels: Double)] = []

    /// Compares a tool with its model for each seed, and with the faulty models for the first seeds.
    ///
    /// - Parameters:
    ///   - faults: The faults that the input can reveal.
    ///   - faultSeedCount: The number of seeds for the faulty models.
    ///   - compare: Compares the tool with its model for a seed, optionally with a fault.
    package init(
        seeds: Range<UInt64>, faults: [PlantedFault] = PlantedFault.allCases, faultSeedCount: Int = .max,
        _ compare: (_ seed: UInt64, _ fault: PlantedFault?) throws -> ModelError
    ) rethrows {
        for seed in seeds {
            let error = try compare(seed, nil)
            let decibels = error.signal > 0 ? error.decibels : .infinity
            // Also true for NaN.
            if !(decibels <= worst.decibels) { worst = (decibels, seed) }
        }
        for fault in faults {
            self.faults.append((fault, try seeds.prefix(faultSeedCount).map { try compare($0, fault).decibels }.max() ?? -.infinity))
        }
    }

    /// Returns whether tool and model agree, and each fault causes at least ten times the tolerance.
    ///
    /// - Parameter tolerance: The largest difference, in decibels.
    package func agrees(below tolerance: Double) -> Bool {
        worst.decibels < tolerance && faults.allSatisfy { $0.decibels > tolerance + 20 }
    }

    package var description: String {
        "seed \(worst.seed): \(worst.decibels) dB; " + faults.map { "\($0.fault): \($0.decibels) dB" }.joined(separator: ", ")
    }
}
