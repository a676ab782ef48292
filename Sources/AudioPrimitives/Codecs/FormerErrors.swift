// SPDX-License-Identifier: Apache-2.0

/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias AACError = CodecError
/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias USACError = CodecError
/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias OpusError = CodecError
/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias ALACError = CodecError
/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias ILBCError = CodecError
/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias MPEG4AudioError = CodecError
/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias OpusFormatError = CodecError
/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias ALACConfigurationError = CodecError
/// The former name of ``CodecError``.
@available(*, deprecated, renamed: "CodecError")
public typealias LoudnessError = CodecError
