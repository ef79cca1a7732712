/// A store in a file of this machine, which grows with its disk.
protocol FileStore: PaymentStore {
    /// The file's resolved path.
    var path: String { get }
}
