// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension AccessUnit {
    /// Creates an access unit of 1024 sample frames at time 0.
    public init(_ payload: [UInt8]) {
        self.init(payload: payload, presentationTime: MediaTime(value: 0, timescale: 1), duration: 1024)
    }
}
