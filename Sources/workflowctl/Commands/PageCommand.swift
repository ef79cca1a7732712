internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `page`: writes the page that a browser shows for a client action.
struct PageCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Write the HTML page for a client action.",
        discussion: """
            Works for load3DSMethod, show3DS, showMenu and checkIn. The output is a complete \
            HTML document with a strict Content-Security-Policy. It contains the sealed values \
            that the payer's browser needs, so this command requires the keys; anyone who has \
            the page can act on the payment.

            Examples:
              workflowctl page SESSION a-12 -o challenge.html
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("The id of the open action, such as a-12.", valueName: "action"))
    var action: String

    @OptionGroup var output: OutputOption

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--wait", "--allow-insecure-loopback"] }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let log = try await SessionLog.read(session, from: reader.store)
            let secrets = log.secrets(with: try await reader.keys(of: session, for: "page"))
            let view = SessionView(log.state, by: reader.decider, disclosing: .clear(secrets))
            guard let wanted = view.actions.first(where: { $0.id.rawValue == action }) else {
                throw Failure(.unknown, "page.no-action", "no open action has this id", hint: hint)
            }
            let page: Page
            do throws(PageError) {
                page = try Page.showing(
                    wanted,
                    callbackScheme: log.state.callbackScheme,
                    allowsInsecureLoopback: global.allowInsecureLoopback
                )
            } catch {
                throw Failure(.refused, error.code, error.description, hint: hint)
            }
            try output.write(Array(page.html.utf8), in: invocation)
            return .done
        }
    }

    private var hint: String { "'workflowctl show \(given.id)' lists the open actions" }
}
