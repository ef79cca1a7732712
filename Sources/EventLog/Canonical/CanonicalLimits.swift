/// The limits for reading stored JSON, so that hostile bytes can exhaust neither stack nor memory.
public struct CanonicalLimits: Hashable, Sendable {
    /// How deeply objects and lists may be nested; 32 by default, while our own records need 12.
    public var depth = 32
    /// The maximum size of one string in its written form; 1 MiB by default.
    public var stringBytes = 1 << 20
    /// The maximum size of a record's canonical form; 8 MiB by default.
    public var recordBytes = 8 << 20
    /// The maximum size of one line of an exported log, seals included; 64 MiB by default.
    public var lineBytes = 64 << 20
    /// The maximum size of a line of an exported log that is not in canonical form, as when another
    /// program has written it again; 4 MiB by default.
    ///
    /// Reading any JSON takes some fifty times its size of memory; the canonical form is read in
    /// place.
    public var rewrittenLineBytes = 4 << 20

    /// Creates limits with the default values.
    public init() {}

    /// The default limits.
    public static let standard = CanonicalLimits()
}
