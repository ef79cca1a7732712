package import EventLog

/// How a store is opened, whatever its kind; a kind ignores what it does not have.
package struct StoreOpening: Sendable {
    /// What lists and sums need of the sessions.
    package var readModel: ReadModel
    /// The access; `nil` for that of the options.
    package var access: StoreAccess?
    /// The name under which this node is listed.
    package var node: String
    /// The number of threads that read; `nil` for that of the options.
    package var readers: Int?
    /// The number of lanes of a store that is created; `nil` for that of the options.
    package var lanes: Int?
    /// Whether a store that is created is a scratch store.
    package var isScratch = false
    /// A file on this machine that records the identity of a store on a server; `nil` for that of
    /// the options.
    package var identityFile: String?
    /// How long a server may take to answer; `nil` for that of the options.
    package var patience: Duration?
    /// The options of any kinds, of which each kind uses its own.
    package var options: [any Sendable]

    /// Creates an opening; without options of a kind, the kind uses its defaults.
    package init(
        readModel: ReadModel,
        node: String,
        access: StoreAccess? = nil,
        options: [any Sendable] = []
    ) {
        self.readModel = readModel
        self.node = node
        self.access = access
        self.options = options
    }

    /// Returns the options of a kind.
    func settings<Options>(or defaults: Options) -> Options {
        options.lazy.compactMap { $0 as? Options }.first ?? defaults
    }
}
