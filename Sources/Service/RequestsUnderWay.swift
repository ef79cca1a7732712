internal import SwedbankPay

/// The requests with a key that this process is carrying out.
///
/// It answers a caller that repeats a request too early; what other nodes do is decided by the log.
///
/// - Note: Isolation: an actor.
actor RequestsUnderWay {
    private var keys: Set<RequestKey> = []

    /// Returns whether a request may begin: no other one has its key.
    func begin(_ key: RequestKey) -> Bool { keys.insert(key).inserted }

    /// Ends a request.
    func end(_ key: RequestKey) { keys.remove(key) }
}
