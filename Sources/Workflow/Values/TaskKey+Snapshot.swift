internal import Crypto

extension IntegrationTask {
    /// What the task is recognised by within an attempt.
    ///
    /// The operation's own address is left out, since a PSP may give it anew with each answer; the attempt's number is
    /// put in, so that the same task of a second attempt is a task of its own.
    func key(in rel: Rel, attempt: Int?) -> TaskKey {
        var hash = SHA256()
        func add(_ text: String) {
            var text = text
            text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
            hash.update(data: [0])
        }
        add("\(attempt ?? 0)")
        add(rel.rawValue)
        add(self.rel.rawValue)
        add(href?.fingerprint.hexadecimal ?? "")
        for expectation in expects {
            add(expectation.name)
            switch expectation.value {
            case .sealed(let sealed), .unknown(_, let sealed): add(sealed.fingerprint.hexadecimal)
            case .string(let text): add(text)
            case .strings(let list): list.forEach(add)
            case .bool(let flag): add(flag ? "true" : "false")
            case .integer(let number): add("\(number)")
            case .null: add("null")
            }
        }
        return TaskKey(digest: hash.finalize().withUnsafeBytes { Digest256(raw: $0) })
    }
}

extension Snapshot {
    /// The operations to choose the next step from: those of the session, then those of each method; unknown ones are
    /// left out, and when some are marked as next, only these count.
    ///
    /// Source: payment session API, `next` prioritisation, recommended reading.
    var workingOperations: [Operation] {
        let known = (operations + methods.flatMap(\.operations)).filter(\.rel.isKnown)
        let next = known.filter(\.isNext)
        return next.isEmpty ? known : next
    }

    /// The first operation of that kind to choose from.
    func working(_ rel: Rel) -> Operation? {
        guard rel.isKnown else { return nil }
        let prefersNext = hasNext
        func isWanted(_ operation: Operation) -> Bool {
            operation.rel == rel && (operation.isNext || !prefersNext)
        }
        if let operation = operations.first(where: isWanted) { return operation }
        for method in methods {
            if let operation = method.operations.first(where: isWanted) { return operation }
        }
        return nil
    }

    /// Whether a known operation is marked as next.
    private var hasNext: Bool {
        operations.contains { $0.isNext && $0.rel.isKnown }
            || methods.contains { $0.operations.contains { $0.isNext && $0.rel.isKnown } }
    }

    /// The method of that name.
    func method(_ name: PaymentMethodName) -> OfferedMethod? { methods.first { $0.name == name } }

    /// The first operation of that kind of a method, whatever is marked as next.
    func operation(_ rel: Rel, of name: PaymentMethodName) -> Operation? {
        method(name)?.operations.first { $0.rel == rel }
    }

    /// The first operation of that kind of the session, whatever is marked as next.
    func sessionOperation(_ rel: Rel) -> Operation? { operations.first { $0.rel == rel } }
}
