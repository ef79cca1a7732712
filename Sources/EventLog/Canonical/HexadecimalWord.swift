/// Reads eight hexadecimal digits at a time.
@usableFromInline
package enum HexadecimalWord {
    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// The value of eight lower-case hexadecimal digits, the first one in the lowest byte.
    ///
    /// Of every digit the lower four bits are its value, and for a letter, which has the bit 0x40, nine less than it. What
    /// comes of that is written back and compared, so that no other byte passes.
    ///
    /// - Returns: Nothing when one of the bytes is no such digit.
    @inlinable @inline(__always)
    package static func value(of digits: UInt64) -> UInt64? {
        let letters = digits >> 6 & ones
        let values = (digits & (ones &* 0x0F)) &+ letters &* 9
        let written = values &+ ones &* 0x30 &+ letters &* 0x27
        // A letter's value is ten or more and less than sixteen, another digit's is less than ten.
        let overTen = (values &+ ones &* 6) & (ones &* 0x10)
        guard written == digits, values & (ones &* 0xF0) == 0, overTen == letters << 4 else {
            return nil
        }
        var value = values.byteSwapped
        value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
        return (value | value >> 16) & 0xFFFF_FFFF
    }
}
