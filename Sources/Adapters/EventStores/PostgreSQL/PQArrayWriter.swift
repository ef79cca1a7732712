internal import EventLog

/// Writes a one-dimensional array in the server's binary form, element by element.
///
/// - Note: Source: PostgreSQL 15, `array_recv`: dimensions, whether there are nulls, the type of
///   the elements, their number, the first index; then each with its length, which is -1 for null.
struct PQArrayWriter: ~Copyable {
    private var bytes: [UInt8] = []
    private var count = 0
    private var nulls = 0

    private static let headerBytes = 20

    /// Creates an empty array.
    ///
    /// - Parameters:
    ///   - element: The type of its elements.
    ///   - capacity: The approximate size of its elements in bytes.
    init(of element: PQValue.TypeID, capacity: Int) {
        bytes.reserveCapacity(Self.headerBytes + capacity)
        bytes += Array(repeating: 0, count: 8)
        add(element.rawValue)
        bytes += Array(repeating: 0, count: 8)
    }

    private mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func begin(_ length: Int) {
        count += 1
        add(Int32(clamping: length))
    }

    private mutating func addNull() {
        nulls += 1
        begin(-1)
    }

    mutating func append(_ number: Int64?) {
        guard let number else { return addNull() }
        begin(8)
        add(number)
    }

    mutating func append(_ text: String?) {
        guard let text else { return addNull() }
        let utf8 = text.withoutNUL.utf8
        begin(utf8.count)
        bytes.append(contentsOf: utf8)
    }

    mutating func append(_ value: [UInt8]?) {
        guard let value else { return addNull() }
        begin(value.count)
        bytes.append(contentsOf: value)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        begin(bytes.count)
        self.bytes.append(contentsOf: bytes)
    }

    mutating func append(_ session: SessionID) {
        begin(16)
        add(session.high)
        add(session.low)
    }

    mutating func append(_ digest: Digest256?) {
        guard let digest else { return addNull() }
        begin(32)
        add(digest.words.0)
        add(digest.words.1)
        add(digest.words.2)
        add(digest.words.3)
    }

    /// Returns the array; an array of only nulls is sent empty, and `unnest` restores the nulls
    /// beside a longer array.
    consuming func finish() -> PQValue {
        guard nulls < count else {
            bytes.removeLast(bytes.count - 12)
            return .array(bytes)
        }
        put(1, at: 0)
        put(nulls > 0 ? 1 : 0, at: 4)
        put(Int32(clamping: count), at: 12)
        put(1, at: 16)
        return .array(bytes)
    }

    private mutating func put(_ number: Int32, at place: Int) {
        withUnsafeBytes(of: number.bigEndian) { from in
            for (offset, byte) in from.enumerated() { bytes[place + offset] = byte }
        }
    }
}
