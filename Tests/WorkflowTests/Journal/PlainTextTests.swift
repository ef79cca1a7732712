import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite struct PlainTextTests {
    @Test func `a byte that ends a plain text is found at any offset`() {
        // Beside letters, also bytes that differ from the expected ones only in the highest bit.
        for filling in [0x61, 0x7F, 0xA2, 0xDC, 0x9F, 0x21, 0x23, 0x5B, 0x5D] as [UInt8] {
            for length in 0...34 {
                #expect(end(of: Array(repeating: filling, count: length)) == length)
                for place in 0..<length {
                    for ending in [0x22, 0x5C, 0x00, 0x1F] as [UInt8] {
                        var bytes = Array(repeating: filling, count: length)
                        bytes[place] = ending
                        #expect(end(of: bytes) == place, "\(ending) at \(place) of \(length)")
                        bytes[length - 1] = 0x22
                        #expect(end(of: bytes) == place, "and one more behind it")
                    }
                }
            }
        }
    }

    @Test func `a byte beyond ASCII is detected at any offset`() {
        for length in 0...34 {
            let plain = Array(repeating: UInt8(0x7F), count: length)
            #expect(plain.withUnsafeBufferPointer { PlainText.isASCII($0) })
            for place in 0..<length {
                var bytes = plain
                bytes[place] = 0x80
                #expect(!bytes.withUnsafeBufferPointer { PlainText.isASCII($0) })
            }
        }
    }

    private func end(of bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return PlainText.end(in: base, from: 0, to: buffer.count)
        }
    }
}
