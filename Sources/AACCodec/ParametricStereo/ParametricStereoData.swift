internal import AudioPrimitives
struct ParametricStereoData: Sendable {
 struct Header: Sendable {}
 var header = Header()
 init?(reading: inout BitReader, after: Header?, columnCount: Int) { return nil }
func write(to sink: inout some BitSink) {} }
