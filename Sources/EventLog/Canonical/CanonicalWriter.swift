/// Writes canonical JSON (RFC 8785, whole numbers only) byte by byte.
///
/// The caller writes members in canonical order; debug builds check this. Sealed values are
/// collected and numbered in the order in which they appear in the bytes.
///
/// The writer owns raw memory that grows by doubling, because appending to an array byte by byte
/// takes twice as long.
public struct CanonicalWriter: ~Copyable {
    @usableFromInline var memory: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
    /// The sealed values written so far; each one's number is its index.
    package private(set) var sealed: [Sealed] = []
    /// False when a number was outside ±(2^53 - 1) or a year outside 0 to 9999, which the form
    /// can't express exactly.
    package var isExact = true
    #if DEBUG
        @usableFromInline var names: [[UInt8]] = []
    #endif

    /// The greatest whole number that every JSON reader represents exactly.
    ///
    /// - Note: Source: RFC 8785; numbers are IEEE 754 doubles.
    package static let greatestInteger: Int64 = 1 << 53 - 1

    /// Creates a writer with an initial capacity in bytes.
    package init(capacity: Int = 1024) {
        self.capacity = max(capacity, 64)
        memory = .allocate(capacity: self.capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// The bytes written so far.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    /// Writes an object; `body` writes its members in canonical order.
    @inlinable @inline(__always)
    package mutating func object(_ body: (inout CanonicalWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Begins an object, whose members follow in canonical order.
    @inlinable @inline(__always)
    package mutating func beginObject() {
        append(UInt8(ascii: "{"))
        #if DEBUG
            names.append([])
        #endif
    }

    /// Ends the object that was begun last.
    @inlinable @inline(__always)
    package mutating func endObject() {
        #if DEBUG
            names.removeLast()
        #endif
        append(UInt8(ascii: "}"))
    }

    /// Writes a list.
    package mutating func list<Element: CanonicalForm>(_ elements: [Element]) {
        append(UInt8(ascii: "["))
        for element in elements {
            separate(after: UInt8(ascii: "["))
            element.write(to: &self)
        }
        append(UInt8(ascii: "]"))
    }

    /// Writes a member's name; its value must follow.
    @inlinable @inline(__always)
    package mutating func name(_ name: StaticString) {
        separate(after: UInt8(ascii: "{"))
        append(UInt8(ascii: "\""))
        name.withUTF8Buffer {
            #if DEBUG
                checkOrder(Array($0))
            #endif
            append($0)
        }
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }

    /// Writes a member's name that is known only at run time; its value must follow.
    package mutating func name(_ name: String) {
        separate(after: UInt8(ascii: "{"))
        #if DEBUG
            checkOrder(Array(name.utf8))
        #endif
        string(name)
        append(UInt8(ascii: ":"))
    }

    /// Writes bytes that are already canonical JSON, with the sealed values that they contain.
    package mutating func verbatim(_ json: [UInt8], sealed values: [Sealed] = []) {
        json.withUnsafeBufferPointer { append($0) }
        sealed.append(contentsOf: values)
    }

    /// Writes a piece of ASCII text verbatim.
    @inlinable @inline(__always)
    package mutating func literal(_ text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }

    /// Writes a sealed value under the next number.
    package mutating func seal(_ value: Sealed) {
        literal("{\"$sealed\":")
        integer(Int64(sealed.count))
        literal(",\"fp\":")
        digest(value.fingerprint)
        append(UInt8(ascii: "}"))
        sealed.append(value)
    }

    /// Writes a whole number, clamped to the range that canonical JSON can express.
    package mutating func integer(_ value: Int64) {
        let held = min(max(value, -Self.greatestInteger), Self.greatestInteger)
        if held != value { isExact = false }
        appendDecimal(held)
    }

    /// Writes a comma before every value or name that is not the first of its object or list.
    ///
    /// No value ends with an opening bracket, so the last byte decides.
    @inlinable @inline(__always)
    package mutating func separate(after opening: UInt8) {
        if memory[count - 1] != opening { append(UInt8(ascii: ",")) }
    }

    /// Appends raw bytes.
    @inlinable @inline(__always)
    package mutating func append(_ buffer: UnsafeBufferPointer<UInt8>) {
        guard let start = buffer.baseAddress else { return }
        reserve(buffer.count)
        (memory + count).update(from: start, count: buffer.count)
        count += buffer.count
    }

    /// Appends one raw byte.
    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    /// Appends a number of bytes that `fill` writes in place.
    @inlinable @inline(__always)
    package mutating func append(_ length: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        reserve(length)
        fill(memory + count)
        count += length
    }

    @inlinable @inline(__always)
    mutating func reserve(_ length: Int) {
        if capacity - count < length { grow(by: length) }
    }

    @inline(never)
    @usableFromInline mutating func grow(by length: Int) {
        capacity = max(capacity * 2, count + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }

    #if DEBUG
        @usableFromInline mutating func checkOrder(_ name: [UInt8]) {
            guard let last = names.popLast() else { return }
            assert(
                last.isEmpty || CanonicalOrder.precedes(last, name),
                "members out of order: \(String(decoding: name, as: UTF8.self))"
            )
            names.append(name)
        }
    #endif
}
