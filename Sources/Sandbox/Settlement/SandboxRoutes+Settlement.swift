import FoundationEssentials
import Hummingbird

extension SandboxRoutes {
    /// The route to the settlement reports of the sandbox's own ledger.
    func addSettlement(to router: Router<SandboxRequestContext>) {
        router.get("sandbox/settlement/:name") { request, context in
            let query = query(of: request)
            return await respond { () async throws(ProblemDetail) in
                try await settlement(context.parameters.get("name") ?? "", query)
            }
        }
    }

    /// The settlement report of everything so far: its list (`R9001-0001.xml`), or its balance
    /// report as text (`R9001-0001.txt`), of today or of the date in the query.
    private func settlement(
        _ name: String,
        _ query: [String: String]
    ) async throws(ProblemDetail) -> Reply {
        let number = String(name.dropLast(4))
        guard !number.isEmpty,
            number.utf8.allSatisfy({ (0x30...0x5A).contains($0) || $0 == UInt8(ascii: "-") })
        else { throw .notFound }
        let stated = query["date"] ?? ""
        let isDate = stated.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
        let today = String(Timestamp.text(Date()).prefix(10))
        let report = await provider.settlement(
            number: number,
            date: stated.utf8.count == 10 && isDate ? stated : today
        )
        switch name.suffix(4) {
        case ".xml":
            return Reply(status: 200, body: .raw(report.list, contentType: "application/xml"))
        case ".txt":
            return Reply(
                status: 200,
                body: .raw(report.balance, contentType: "text/plain; charset=utf-8")
            )
        default: throw .notFound
        }
    }
}
