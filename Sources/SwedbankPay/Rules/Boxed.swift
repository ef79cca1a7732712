/// A large copy-on-write value behind one reference, which is copied only when it is changed while
/// it is shared.
///
/// A state has some hundred parts, and each event of a log changes only a few. A decision keeps the
/// state before it until its events are durable, so copies must be cheap: large members are boxed.
///
/// The value has to be hashable only where boxes are compared or hashed. The runtime looks up each
/// requirement of a generic type when the type is first used, and for all boxes of a state, that
/// takes longer than folding a short log.
@propertyWrapper
public struct Boxed<Value: Sendable>: Sendable {
    private final class Storage {
        // Unchecked: the box below is a value, whose access is already exclusive.
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) { self.value = value }
    }

    // Safe: a storage to which another box refers is never changed, and a box itself is a value,
    // which has one owner.
    private nonisolated(unsafe) var storage: Storage

    /// Creates a box with a value.
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// The value.
    public var wrappedValue: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}

extension Boxed: Equatable where Value: Equatable {
    /// Whether the values are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.value == right.storage.value
    }
}

extension Boxed: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}
