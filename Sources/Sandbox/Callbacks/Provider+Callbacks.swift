import FoundationEssentials

extension Provider {
    /// The shortest and the longest pause before the next check of what is due.
    private static let pauses = (
        shortest: Duration.milliseconds(2), longest: Duration.milliseconds(50)
    )

    /// Performs what happens without a request: payments that end on their own, and callbacks.
    ///
    /// It ends when nothing is pending, and is restarted when something is.
    static func watch(_ provider: Provider) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled, let due = await provider.removeDue() {
                for post in due {
                    group.addTask { await provider.deliver(post) }
                }
                try? await Task.sleep(for: due.isEmpty ? pauses.longest : pauses.shortest)
            }
        }
    }

    /// Sends one callback and records the result.
    private func deliver(_ post: CallbackBook.Post) async {
        let status = await send(post)
        record(post.sequence, status: status, at: Timestamp.text(Date()))
    }

    private nonisolated func send(_ post: CallbackBook.Post) async -> Int? {
        if let sender = configuration.callbackSender { return await sender(post.url, post.body) }
        guard let address = CallbackAddress(post.url), !address.isSecure, address.isLoopback else {
            return nil
        }
        return await CallbackSender.post(post.body, to: address)
    }
}

extension PaymentOrder {
    /// Whether something will happen to the order without a request.
    var endsByItself: Bool {
        if pendingReversal != nil || methodReversesAt != nil { return true }
        return attempts.contains { attempt in
            switch attempt.stage {
            case .swish(let payment): payment.endsAt != nil && payment.outcome != nil
            case .authentication, .challenge: true
            case .acquirer(let endsAt): endsAt != nil
            case .wallet, .paid, .failed, .aborted: false
            }
        }
    }
}
