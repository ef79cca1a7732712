internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import Service
internal import SwedbankPay

/// `serve token`: the tokens of a service's callers.
struct ServeTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create, list and revoke the tokens of the service's callers.",
        discussion: """
            Examples:
              workflowctl serve token create --role driver --name shop
              workflowctl serve token list
            """,
        subcommands: [
            ServeTokenCreateCommand.self, ServeTokenListCommand.self, ServeTokenRevokeCommand.self,
        ]
    )
}

/// `serve token create`: makes a token.
struct ServeTokenCreateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a token, and print it.",
        discussion: """
            The token is printed once; the file has only its digest. A running service accepts \
            it at once.

            Examples:
              workflowctl serve token create --role driver --name shop
              workflowctl serve token create --role viewer --role support --name anna \\
                --expires 30d
            """
    )

    @Option(
        help: ArgumentHelp(
            "What its holder may do: \(Role.allCases.map(\.rawValue).joined(separator: ", ")); may be repeated.",
            valueName: "role"
        )
    )
    var role: [Role]

    @Option(
        help: ArgumentHelp("Whose token it is, as logs name the caller.", valueName: "name")
    )
    var name = "caller"

    @Option(
        help: ArgumentHelp(
            "How long it is valid. Default: until it is revoked.",
            valueName: "duration"
        )
    )
    var expires: DurationArgument?

    @OptionGroup var tokens: TokensFileOption
    @OptionGroup var global: GlobalOptions

    static var mayReveal: Bool { false }

    func refuseBadArguments() throws(Failure) {
        guard OperatorText.isName(name) else { throw Failure(OperatorActed.Flaw.name) }
        guard !role.isEmpty else {
            throw .usage("role", "--role is required", hint: "for example: --role driver")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let file = AccessTokens(path: try tokens.path(for: global, in: invocation))
        let now = invocation.now()
        do throws(AccessTokens.Fault) {
            let (entry, secret) = try file.create(
                name: name,
                roles: Set(role),
                expires: expires.map { now + $0.duration },
                at: now,
                random: SystemRandom()
            )
            if global.json {
                invocation.print(["id": .string(entry.id), "token": .string(secret)])
            } else {
                invocation.print(secret)
                invocation.note("note: this is token \(entry.id); it is not shown again")
            }
            return .done
        } catch {
            throw Failure(error, file.path)
        }
    }
}

/// `serve token list`: lists the tokens.
struct ServeTokenListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens, without their secrets.",
        discussion: """
            Examples:
              workflowctl serve token list
              workflowctl serve token list --json
            """
    )

    @OptionGroup var tokens: TokensFileOption
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let file = AccessTokens(path: try tokens.path(for: global, in: invocation))
        let entries: [AccessTokens.Entry]
        do throws(AccessTokens.Fault) { entries = try file.entries() } catch {
            throw Failure(error, file.path)
        }
        let now = invocation.now()
        guard !global.json else {
            invocation.print(
                .array(
                    entries.map { entry in
                        .object([
                            .init("id", .string(entry.id)), .init("name", .string(entry.name)),
                            .init("roles", .array(entry.roles.map { .string($0) })),
                            .init("created", .string(entry.created)),
                            .init("expires", JSONValue(entry.expires)),
                            .init("revoked", JSONValue(entry.revoked)),
                            .init("valid", .bool(entry.isValid(at: now))),
                        ])
                    }
                )
            )
            return .done
        }
        let table = Table(
            columns: ["id", "name", "roles", "created", "expires", "valid"],
            rows: entries.map { entry in
                [
                    entry.id, Screen.safe(entry.name), entry.roles.joined(separator: ","),
                    entry.created, entry.expires ?? "", entry.isValid(at: now) ? "yes" : "no",
                ]
            }
        )
        invocation.output.write(table.text(for: invocation.output.form))
        return .done
    }
}

/// `serve token revoke`: revokes a token.
struct ServeTokenRevokeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a token: from now on it is refused.",
        discussion: """
            Examples:
              workflowctl serve token revoke 5d1f02ac
            """
    )

    @Argument(help: ArgumentHelp("The token's id, as 'list' prints it.", valueName: "id"))
    var id: String

    @OptionGroup var tokens: TokensFileOption
    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let file = AccessTokens(path: try tokens.path(for: global, in: invocation))
        do throws(AccessTokens.Fault) { try file.revoke(id, at: invocation.now()) } catch {
            throw Failure(error, file.path)
        }
        if global.json { invocation.print(["revoked": .string(id)]) }
        return .done
    }
}

extension Failure {
    /// Translates a fault of the file with tokens for the command line.
    init(_ fault: AccessTokens.Fault, _ path: String) {
        switch fault {
        case .file(let reason): self.init(.configuration, "service.tokens", reason)
        case .malformed:
            self.init(
                .configuration,
                "service.tokens",
                "\(Screen.safe(path)) is not a list of tokens",
                hint: "restore it, or remove it and create new tokens"
            )
        case .unknown:
            self.init(
                .unknown,
                "service.no-token",
                "there is no token with this id",
                hint: "'serve token list' shows the tokens"
            )
        }
    }
}
