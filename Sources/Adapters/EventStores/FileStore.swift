/// A store in a file of this machine, which grows with its disk.
package protocol FileStore: PersistentStore {
    /// The file's resolved path.
    var path: String { get }
}
