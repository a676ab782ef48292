internal import AudioPrimitives
struct ParametricStereoData: Sendable { func write(to sink: inout some BitSink) {} }
