internal import ArgumentParser
internal import HTTPTypes

@testable import EventLog
@testable import MerchantBackend
@testable import SwedbankPay
@testable import UVTransport
@testable import workflowctl

extension FuzzTarget {
    /// A request to a merchant backend: the path in the first line, followed by the body.
    static let backendRequest = FuzzTarget(
        name: "backend-request",
        maximumLength: 8192,
        growths: [
            .repeating("/", after: "/api/"), .repeating("a/", after: "/api/"),
            .repeating("%41", after: "/api/"),
            .repeating("?", after: "/api/"), .repeating("[", after: "/api/paymentorders\n"),
            .repeating(
                #"{"xToken":"t"},"#,
                after: "/api/paymentorders\n{\"paymentorder\":{\"a\":[",
                before: "{}]}}"
            ),
        ],
        check: { bytes throws(Broken) in
            let path = Lines(bytes)[0]
            let body = Array(bytes.drop { $0 != 0x0A }.dropFirst())
            guard let token = try? AccessToken("t0k3n"),
                let configuration = try? BackendConfiguration(
                    publicURL: "https://shop.example/api/",
                    pspURL: "https://api.payex.com",
                    accessToken: token,
                    payeeID: "5cabf558-5283-482f-b252-4d58e06f6f3b"
                )
            else { throw Broken(description: "the backend is set up") }
            var request = HTTPRequest(
                method: .post,
                scheme: nil,
                authority: nil,
                path: path
            )
            request.headerFields[.contentType] = "application/json"
            let call = BackendRequest(head: request, body: body, source: nil)
            let route = Route(path: call.path, in: configuration)
            switch route {
            case .instrument(let text), .paymentTokens(let text), .callback(let text),
                .challenge(let text), .paymentToken(let text, _):
                try hold(
                    (1...PathPart.maximumLength).contains(text.utf8.count)
                        && text != ".." && !text.utf8.contains { $0 < 0x20 },
                    "a part of a path is bounded and leads nowhere else"
                )
            default: break
            }
            _ = call.query
            let draft: OrderDraft
            do throws(BackendProblem) {
                draft = try OrderDraft(call, in: configuration)
            } catch {
                try hold((400...499).contains(error.status), "the caller is told")
                return route != nil
            }
            try hold(
                draft.order.payeeInfo?.payeeID == configuration.payeeID,
                "the payee is ours whatever the caller says"
            )
            try hold(
                draft.problems(in: configuration) == draft.problems(in: configuration),
                "an order is judged alike"
            )
            return true
        }
    )

    /// The arguments of the command line, one in each line.
    static let arguments = FuzzTarget(
        name: "arguments",
        maximumLength: 1024,
        replayRounds: 60,
        check: { bytes throws(Broken) in
            let arguments = Lines(bytes).all
            for argument in arguments { try Arguments.checkValues(of: argument) }
            let ordered = ArgumentOrder.commandFirst(arguments)
            try hold(ordered.sorted() == arguments.sorted(), "no argument gets lost")
            let parsed: any ParsableCommand
            do {
                parsed = try Workflowctl.parseAsRoot(ordered)
            } catch {
                guard Workflowctl.exitCode(for: error) != .success else { return true }
                let message = Workflowctl.message(for: error)
                try Canary.isAbsent(from: SecretArguments.masked(message, arguments: arguments))
                return false
            }
            guard let command = parsed as? any Command else { return true }
            do throws(Failure) {
                try command.refuseBadArguments()
            } catch {
                try Canary.isAbsent(from: "\(error)")
                try hold(!error.code.isEmpty, "an error has a code")
                return false
            }
            return true
        }
    )
}

/// The values of arguments.
private enum Arguments {
    static func checkValues(of argument: String) throws(Broken) {
        if let duration = DurationArgument(argument)?.duration {
            try hold(
                duration >= .zero && duration <= DurationArgument.longest,
                "the bound on durations is kept"
            )
        }
        if let time = TimeArgument(argument) {
            let instant = time.instant(from: Instant(microseconds: 1_795_000_000_000_000))
            try hold(Instant("\(instant)") == instant, "a time is one that can be written")
        }
        if let location = try? StoreLocation(argument) {
            try hold(!location.path.isEmpty, "a store has a place")
        }
    }
}
