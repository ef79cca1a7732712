/// Reads eight hexadecimal digits at a time.
@usableFromInline
package enum HexadecimalWord {
    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// The value of eight lower-case hexadecimal digits, the first one in the lowest byte.
    ///
    /// The lower four bits of a digit are its value; for a letter, which has the bit 0x40, they are
    /// nine less than its value. The result is written back and compared, so that no other byte is
    /// accepted.
    ///
    /// - Returns: `nil` when one of the bytes is not such a digit.
    @inlinable @inline(__always)
    package static func value(of digits: UInt64) -> UInt64? {
        let letters = digits >> 6 & ones
        let values = (digits & (ones &* 0x0F)) &+ letters &* 9
        let written = values &+ ones &* 0x30 &+ letters &* 0x27
        // A letter's value is at least ten and less than sixteen; another digit's value is less
        // than ten.
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
