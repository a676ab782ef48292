// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

#if canImport(CChecksumLibrary)
internal import CChecksumLibrary
#elseif canImport(CommonCrypto)
internal import CommonCrypto
#endif

/// Checksums by SHA-256 (FIPS 180-4), as `sha256sum` prints them.
///
/// On Linux OpenSSL computes them, on Apple's systems CommonCrypto, elsewhere ``SHA256State``.
enum SHA256 {
    /// Bytes read at a time.
    private static let blockSize = 1 << 18

    /// Returns the checksum of a file.
    ///
    /// - Returns: 64 hexadecimal digits.
    static func hash(ofFile path: String) throws(BatchError) -> String {
        let file: OpenFile
        do throws(SystemFileError) { file = try OpenFile(reading: path) } catch { throw .cannotRead(path: path, code: error.systemCode) }
        var computation = try SHA256Computation()
        var failure: SystemFileError?
        withUnsafeTemporaryAllocation(byteCount: blockSize, alignment: 64) { block in
            while failure == nil {
                do throws(SystemFileError) {
                    let count = try file.read(into: block)
                    if count == 0 { return }
                    computation.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw .cannotRead(path: path, code: failure.systemCode) }
        return computation.finish()
    }

    /// Returns the checksum of bytes.
    ///
    /// - Returns: 64 hexadecimal digits.
    static func hash(of bytes: [UInt8]) throws(BatchError) -> String {
        var computation = try SHA256Computation()
        bytes.withUnsafeBytes { computation.update($0) }
        return computation.finish()
    }
}

/// A checksum under way.
private struct SHA256Computation: ~Copyable {
    #if canImport(CChecksumLibrary)
    private let functions: LinnetChecksumFunctions
    private let context: OpaquePointer

    /// Starts a computation.
    init() throws(BatchError) {
        let missing = BatchError.libraryMissing(library: "libcrypto.so.3", package: "libssl3")
        guard let functions = linnet_checksum_functions()?.pointee, let context = functions.EVP_MD_CTX_new() else { throw missing }
        self.functions = functions
        self.context = context
        _ = functions.EVP_DigestInit_ex(context, functions.EVP_sha256(), nil)
    }

    deinit { functions.EVP_MD_CTX_free(context) }

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { _ = functions.EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

    /// Returns the checksum as hexadecimal digits.
    mutating func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = functions.EVP_DigestFinal_ex(context, &digest, nil)
        return Self.text(digest)
    }
    #elseif canImport(CommonCrypto)
    private var context = CC_SHA256_CTX()

    /// Starts a computation.
    init() throws(BatchError) { _ = CC_SHA256_Init(&context) }

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        _ = CC_SHA256_Update(&context, bytes.baseAddress, CC_LONG(bytes.count))
    }

    /// Returns the checksum as hexadecimal digits.
    mutating func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = CC_SHA256_Final(&digest, &context)
        return Self.text(digest)
    }
    #else
    private var state = SHA256State()

    /// Starts a computation.
    init() throws(BatchError) {}

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { state.update(bytes) }

    /// Returns the checksum as hexadecimal digits.
    mutating func finish() -> String { Self.text(state.finish()) }
    #endif

    /// Returns bytes as hexadecimal digits.
    private static func text(_ digest: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
