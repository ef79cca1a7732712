internal import Crypto
internal import EventLog

extension IntegrationTask {
    /// The key that identifies the task within an attempt.
    ///
    /// The operation's own address is not included, because a PSP may change it with each response;
    /// the attempt's number is, so that the same task of a second attempt is a separate task.
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
    /// The operations that the next step is chosen from: those of the session, then those of each
    /// method.
    ///
    /// Unknown ones are excluded, and if some are marked as next, only these are included.
    ///
    /// - Note: Source: payment session API, `next` prioritisation, recommended reading.
    var workingOperations: [Operation] { workingOperations(for: nil) { _ in true } }

    /// The operations that the next step is chosen from, without those of methods other than the
    /// one in use: what someone else started with another method is not this attempt's to continue.
    ///
    /// - Parameters:
    ///   - method: The method in use; `nil` means all.
    ///   - isWanted: Selects operations; called before one is copied, because an operation is large
    ///     and most are not wanted.
    /// - Returns: The operations.
    @inline(__always)
    func workingOperations(
        for method: PaymentMethodName?,
        where isWanted: (Operation) -> Bool
    ) -> [Operation] {
        var (working, isNextFound) = ([Operation](), false)
        let own = method.flatMap { name in methods.firstIndex { $0.name == name } }
        for place in -1..<methods.count {
            let list = place < 0 ? operations : methods[place].operations
            let isOwn = place < 0 || method == nil || place == own
            for index in list.indices where list[index].rel.isKnown {
                if list[index].isNext, !isNextFound {
                    isNextFound = true
                    working = []
                }
                guard isOwn, list[index].isNext == isNextFound, isWanted(list[index]) else {
                    continue
                }
                working.append(list[index])
            }
        }
        return working
    }

    /// The first operation of that kind among those to choose from.
    func working(_ rel: Rel) -> Operation? {
        guard rel.isKnown else { return nil }
        // Compare by index: an operation is large, and hardly any of them is wanted.
        var first: OperationPlace?
        var hasNext = false
        for method in -1..<methods.count {
            let list = method < 0 ? operations : methods[method].operations
            for index in list.indices {
                let isWanted = list[index].rel == rel
                if list[index].isNext {
                    if isWanted { return list[index] }
                    hasNext = hasNext || list[index].rel.isKnown
                } else if isWanted, first == nil {
                    first = (method, index)
                }
            }
        }
        guard !hasNext, let first else { return nil }
        return first.method < 0
            ? operations[first.index] : methods[first.method].operations[first.index]
    }

    /// The position of an operation: among those of a method, or, with a method below zero, among
    /// those of the session.
    private typealias OperationPlace = (method: Int, index: Int)

    /// The method with that name.
    func method(_ name: PaymentMethodName) -> OfferedMethod? {
        methods.firstIndex { $0.name == name }.map { methods[$0] }
    }

    /// The first operation of that kind of a method, regardless of what is marked as next.
    func operation(_ rel: Rel, of name: PaymentMethodName) -> Operation? {
        guard let place = methods.firstIndex(where: { $0.name == name }) else { return nil }
        return methods[place].operations.first(of: rel)
    }

    /// The first operation of that kind of the session, regardless of what is marked as next.
    func sessionOperation(_ rel: Rel) -> Operation? { operations.first(of: rel) }
}

extension [Operation] {
    /// The first operation of that kind; found by its index, so that no other one is copied.
    fileprivate func first(of rel: Rel) -> Operation? {
        firstIndex { $0.rel == rel }.map { self[$0] }
    }
}
