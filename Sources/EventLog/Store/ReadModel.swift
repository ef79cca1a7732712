/// What a workflow's lists and sums need of its sessions' rows, as data: a store keeps them without
/// knowing what they are about.
///
/// Columns are named as in the store's table of rows: ``columns``, and those that every session
/// has, such as `phase`, `outcome` and `problem`.
public struct ReadModel: Hashable, Sendable {
    /// The version of the facts; a row with facts of another version is derived again from the log.
    public var version: Int64
    /// The columns of the facts, in the order of ``SessionFacts/values``.
    public var columns: [Column]
    /// The columns by whose values few sessions are found.
    public var indexes: [Index]
    /// The sums that the store keeps.
    public var sums: [Sum]
    /// The rows that no sum says enough about, so that whoever adds up looks at each of them: those
    /// that meet any of these conditions.
    public var apart: [Condition]
    /// The types of the events that end a session: what comes later does not change when it ended.
    public var endings: [String]

    /// Creates a model with these members.
    public init(
        version: Int64 = 1,
        columns: [Column] = [],
        indexes: [Index] = [],
        sums: [Sum] = [],
        apart: [Condition] = [],
        endings: [String] = []
    ) {
        self.version = version
        self.columns = columns
        self.indexes = indexes
        self.sums = sums
        self.apart = apart
        self.endings = endings
    }

    /// A column of the facts.
    public struct Column: Hashable, Sendable {
        /// Its name: small letters and underscores.
        public var name: String
        /// What its values are.
        public var kind: Kind

        /// What the values of a column are.
        public enum Kind: Hashable, Sendable {
            /// Texts.
            case text
            /// Numbers.
            case integer
        }

        /// Creates a column.
        public init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    /// An index of the rows whose value of a column meets a condition.
    public struct Index: Hashable, Sendable {
        /// The column, and what its value has to be.
        public var condition: Condition
        /// Whether most rows have the same value, so that it is used only where no other condition
        /// leaves fewer rows.
        public var isBroad: Bool

        /// Creates an index.
        public init(_ column: String, _ test: Condition.Test, isBroad: Bool = false) {
            (condition, self.isBroad) = (Condition(column, test), isBroad)
        }
    }

    /// The value of a column.
    public enum Value: Hashable, Sendable {
        /// A text.
        case text(String)
        /// A number, an amount in minor units, or a time in microseconds.
        case integer(Int64)

        /// The text, if it is one.
        public var text: String? {
            guard case .text(let text) = self else { return nil }
            return text
        }

        /// The number, if it is one.
        public var integer: Int64? {
            guard case .integer(let number) = self else { return nil }
            return number
        }
    }

    /// A condition on one column of a row.
    public struct Condition: Hashable, Sendable {
        /// The column.
        public var column: String
        /// What its value has to be.
        public var test: Test

        /// What the value of a column has to be.
        public enum Test: Hashable, Sendable {
            /// One of these values.
            case isOneOf([Value])
            /// A value, but none of these.
            case isNoneOf([Value])
            /// Any value.
            case isPresent
            /// No value.
            case isAbsent
        }

        /// Creates a condition on a column.
        public init(_ column: String, _ test: Test) { (self.column, self.test) = (column, test) }
    }

    /// A sum over the sessions whose rows meet some conditions, by the hour in which they were
    /// opened and by some columns.
    public struct Sum: Hashable, Sendable {
        /// The name under which it is kept.
        public var name: String
        /// What the rows of its sessions have to meet, all of it.
        public var conditions: [Condition]
        /// What it distinguishes.
        public var keys: [Key]
        /// The column whose values are added; `nil` to count sessions only.
        public var amount: String?
        /// The column with the time by which its oldest session is known; `nil` for none.
        public var since: String?

        /// What a sum distinguishes.
        public enum Key: Hashable, Sendable {
            /// The value of a column.
            case column(String)
            /// Some bits of a column with a number.
            case bits(String, Int64)
        }

        /// Creates a sum with these members.
        public init(
            _ name: String,
            of conditions: [Condition],
            by keys: [Key],
            amount: String? = nil,
            since: String? = nil
        ) {
            self.name = name
            self.conditions = conditions
            self.keys = keys
            self.amount = amount
            self.since = since
        }
    }
}

/// What a store's sum says about the sessions that agree in everything that it distinguishes.
public struct SessionSum: Hashable, Sendable {
    /// What they agree in, in the order of ``ReadModel/Sum/keys``; `nil` for no value.
    public var key: [ReadModel.Value?]
    /// The number of sessions.
    public var sessions: Int64
    /// The number of those with an amount.
    public var known: Int64
    /// The sum of the amounts, in minor units; `nil` when it exceeds the range of the number.
    public var total: Int64?
    /// The oldest session, of several the first by its identifier; `nil` when the sum knows none.
    public var oldest: Oldest?

    /// A session, and since when it has been in the sum.
    public struct Oldest: Hashable, Sendable {
        /// The value of ``ReadModel/Sum/since``.
        public var since: Instant
        /// The session.
        public var session: SessionID

        /// Creates the oldest session of a sum.
        public init(since: Instant, session: SessionID) {
            (self.since, self.session) = (since, session)
        }
    }

    /// Creates a group of a sum with these members.
    public init(
        key: [ReadModel.Value?],
        sessions: Int64,
        known: Int64,
        total: Int64?,
        oldest: Oldest? = nil
    ) {
        self.key = key
        self.sessions = sessions
        self.known = known
        self.total = total
        self.oldest = oldest
    }
}
