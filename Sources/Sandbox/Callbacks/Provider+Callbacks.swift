import FoundationEssentials

extension Provider {
    /// The shortest and the longest pause before the next look at what is due.
    private static let pauses = (
        shortest: Duration.milliseconds(2), longest: Duration.milliseconds(50)
    )

    /// Lets time bring about what nobody asks for: payments that end by themselves, callbacks.
    ///
    /// It ends when there is nothing to wait for, and is started anew when there is.
    static func watch(_ provider: Provider) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled, let due = await provider.takeDue() {
                for post in due {
                    group.addTask { await provider.deliver(post) }
                }
                try? await Task.sleep(for: due.isEmpty ? pauses.longest : pauses.shortest)
            }
        }
    }

    /// Sends one callback and remembers how it went.
    private func deliver(_ post: CallbackBook.Post) async {
        let status = await send(post)
        answered(post.sequence, status: status, at: Timestamp.text(Date()))
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
    /// Whether something will happen to the order by itself.
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
