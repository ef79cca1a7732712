/// The bounds within which stored JSON is read, so that hostile bytes cost neither stack nor memory.
public struct CanonicalLimits: Hashable, Sendable {
    /// How deep objects and lists may be nested; 32 by default, where our own records need 12.
    public var depth = 32
    /// How many bytes one string may have in its written form; 1 MiB by default.
    public var stringBytes = 1 << 20
    /// How many bytes a record's canonical form may have; 8 MiB by default.
    public var recordBytes = 8 << 20
    /// How many bytes a line of an exported log may have, seals included; 64 MiB by default.
    public var lineBytes = 64 << 20

    /// The defaults, to be changed member by member.
    public init() {}

    /// The defaults.
    public static let standard = CanonicalLimits()
}
