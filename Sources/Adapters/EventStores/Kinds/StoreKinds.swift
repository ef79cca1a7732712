/// The kinds of stores that an address can name.
package enum StoreKinds {
    /// The kinds; the schema of `store` lists their names, too.
    package static let all: [any StoreKind.Type] = [SQLiteKind.self, PostgreSQLKind.self]

    /// The kind of store that is a file.
    package static let ofFiles: any StoreKind.Type = SQLiteKind.self

    /// Returns the kind of store that a text names; `nil` when it names none.
    package static func kind(of text: String) -> (any StoreKind.Type)? {
        all.first { $0.isMeant(by: text) }
    }

    /// Returns the store in a file, whatever its path looks like.
    package static func file(at path: String) -> any StoreKind { SQLiteKind(path: path) }
}
