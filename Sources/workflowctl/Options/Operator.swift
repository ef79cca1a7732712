internal import Glibc
internal import Inspection
internal import SwedbankPay

/// The operator and the reason, for the record of operators' actions.
struct Operator: Hashable, Sendable {
    /// The operator: as given, or else the user and the machine.
    var name: String
    /// The reason.
    var reason: String?
    /// Whether the operator was named.
    var isNamed: Bool

    /// Reads the name from `--by`, else from the environment, else from the system, and the reason
    /// from `--reason`.
    ///
    /// - Throws: A usage failure when one of them is too long or may contain a secret, because both
    ///   are recorded in the clear.
    static func read(
        _ options: GlobalOptions,
        environment: [String: String]
    ) throws(Failure) -> Operator {
        let given = options.by ?? environment["WORKFLOWCTL_OPERATOR"].nonEmpty
        guard given.map(OperatorText.isName) ?? true else { throw Failure(OperatorActed.Flaw.name) }
        guard options.reason.map(OperatorText.isReason) ?? true else {
            throw Failure(OperatorActed.Flaw.reason)
        }
        return Operator(
            name: given ?? systemName(),
            reason: options.reason,
            isNamed: given != nil
        )
    }

    /// Returns the record of an action.
    func acted(_ action: String) -> OperatorActed {
        OperatorActed(by: name, action: action, reason: reason)
    }

    /// Returns the failure for a missing reason.
    func requireReason() throws(Failure) {
        guard reason == nil else { return }
        throw .usage(
            "reason",
            "--reason is required",
            hint: "explain why with --reason TEXT; the reason is recorded in the session's log"
        )
    }

    private static func systemName() -> String {
        let user = getpwuid(geteuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
        return Screen.safe("\(user ?? "uid-\(geteuid())")@\(host)".prefix(OperatorText.nameLimit))
    }

    /// The name of this machine.
    private static var host: String {
        var host = [CChar](repeating: 0, count: 256)
        let hasHost = gethostname(&host, host.count - 1) == 0
        let bytes = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return hasHost ? String(decoding: bytes, as: UTF8.self) : "unknown"
    }

    /// The identity of this process among the nodes of a store.
    static var nodeName: String {
        Screen.safe("\(host)/\(getpid())".prefix(OperatorText.nameLimit))
    }
}
