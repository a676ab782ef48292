// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && canImport(Foundation) && !hasFeature(Embedded)
public import Foundation

/// An error with one line for people.
///
/// It is what alerts of AppKit, UIKit and SwiftUI show, and what `localizedDescription` returns.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The description of the error.
    public var errorDescription: String? { description }
}
#else
/// An error with one line for people.
///
/// On Apple's systems it is a `LocalizedError` too. Elsewhere nothing here imports Foundation.
public protocol DescribedError: Error, CustomStringConvertible {}
#endif
