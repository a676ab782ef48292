// SPDX-License-Identifier: Apache-2.0

import AACCodec
import MPEG4Audio
import TransformCoding

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Prints the filter bank time per block and channel: the minimum of many rounds, in nanoseconds of thread time.
///
///     TransformBenchmark                  all kernels, timed
///     TransformBenchmark KERNEL COUNT     only one kernel COUNT times, for an instruction counter
@main
struct TransformBenchmark {
    static func main() {
        var subject = Subject()
        if CommandLine.arguments.count == 3, let kernel = Kernel(rawValue: CommandLine.arguments[1]),
            let count = Int(CommandLine.arguments[2])
        {
            subject.run(kernel, count: count)
            return
        }
        var least = [Kernel: Double]()
        for _ in 0..<200 {
            for kernel in Kernel.allCases {
                let start = threadNanoseconds()
                subject.run(kernel, count: 50)
                least[kernel] = min(least[kernel] ?? .infinity, (threadNanoseconds() - start) / 50)
            }
        }
        for kernel in Kernel.allCases {
            print("\(kernel.rawValue)\t\(Int(least[kernel] ?? 0)) ns")
        }
    }

    static func threadNanoseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// The kernels that can be measured.
enum Kernel: String, CaseIterable {
    case transform1024
    case transform960
    case analyzeLong
    case analyzeShort
    case synthesizeLong
    case synthesizeShort
}

/// The state of the kernels, stored as in a codec.
struct Subject: ~Copyable {
    private var bank = FilterBank(frameLength: 1024)
    private var transform960 = MDCT(960)
    private var overlap = OverlapState(frameLength: 1024)
    private var input = InlineArray<2048, Float>(repeating: 0)
    private var coefficients = InlineArray<1024, Float>(repeating: 0)
    private var samples = InlineArray<1024, Float>(repeating: 0)

    init() {
        for index in 0..<2048 {
            input[index] = Float(index &* 7919 % 1999) - 999
        }
        for index in 0..<1024 {
            samples[index] = input[index]
        }
    }

    @inline(never)
    mutating func run(_ kernel: Kernel, count: Int) {
        for _ in 0..<count {
            switch kernel {
            case .transform1024:
                var target = coefficients.mutableSpan
                bank.long.forward(samples.span, into: &target, at: 0)
            case .transform960:
                var target = coefficients.mutableSpan
                transform960.forward(samples.span, into: &target, at: 0)
            case .analyzeLong: analyze(.onlyLong)
            case .analyzeShort: analyze(.eightShort)
            case .synthesizeLong: synthesize(.onlyLong)
            case .synthesizeShort: synthesize(.eightShort)
            }
        }
    }

    private mutating func analyze(_ sequence: WindowSequence) {
        var target = coefficients.mutableSpan
        bank.analyze(input.span, sequence: sequence, previousShape: .sine, shape: .kaiserBesselDerived, into: &target)
    }

    private mutating func synthesize(_ sequence: WindowSequence) {
        var target = samples.mutableSpan
        bank.synthesize(coefficients.span, sequence: sequence, shape: .sine, state: &overlap, into: &target)
    }
}
