/// The bounds of bringing lists and sums up to date.
enum ListFollowing {
    /// The number of records whose sessions are copied in one transaction, for which appends wait.
    static let records = 500
    /// How long a reader of lists waits for their rows to be copied.
    static let time = Duration.seconds(5)
    /// How long the end of a store waits for it.
    static let lastTime = Duration.seconds(1)
}
