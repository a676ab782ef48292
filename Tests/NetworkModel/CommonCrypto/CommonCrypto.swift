// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of CommonCrypto that the sources use, implemented with OpenSSL.

import COpenSSL

public typealias CCOperation = UInt32
public typealias CCAlgorithm = UInt32
public typealias CCOptions = UInt32
public typealias CCHmacAlgorithm = UInt32
public typealias CCCryptorStatus = Int32
public let kCCSuccess = 0
public let kCCEncrypt = 0
public let kCCAlgorithmAES = 0
public let kCCOptionECBMode = 2
public let kCCHmacAlgSHA1 = 0
public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
private let parameterError: CCCryptorStatus = -4300

public func CCCrypt(
    _ op: CCOperation, _ alg: CCAlgorithm, _ options: CCOptions, _ key: UnsafeRawPointer?, _ keyLength: Int, _ iv: UnsafeRawPointer?,
    _ dataIn: UnsafeRawPointer?, _ dataInLength: Int, _ dataOut: UnsafeMutableRawPointer?, _ dataOutAvailable: Int,
    _ dataOutMoved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
    guard Int(op) == kCCEncrypt, Int(alg) == kCCAlgorithmAES, Int(options) == kCCOptionECBMode, keyLength == 16, dataInLength % 16 == 0,
        dataOutAvailable >= dataInLength
    else { return parameterError }
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, key, nil)
    EVP_CIPHER_CTX_set_padding(context, 0)
    var count: Int32 = 0
    EVP_EncryptUpdate(context, dataOut, &count, dataIn, Int32(dataInLength))
    dataOutMoved?.pointee = Int(count)
    return CCCryptorStatus(kCCSuccess)
}

public func CCHmac(
    _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer?, _ keyLength: Int, _ data: UnsafeRawPointer?, _ dataLength: Int,
    _ macOut: UnsafeMutableRawPointer?
) {
    guard Int(algorithm) == kCCHmacAlgSHA1 else { fatalError("another algorithm") }
    HMAC(EVP_sha1(), key, Int32(keyLength), data, UInt(dataLength), macOut, nil)
}
