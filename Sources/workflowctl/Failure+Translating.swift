internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension Failure {
    private static let noDatabase =
        "correct --store, or create the database with 'createdb -h HOST -U USER DATABASE' and "
        + "its tables with 'workflowctl store init'"
    private static let noTables =
        "create them with 'workflowctl store init'; if the store existed before, --store now "
        + "names another database or schema"

    private static let missingRight =
        "run 'workflowctl store grants ROLE' to see the rights that the role needs; to create or "
        + "upgrade tables, run 'workflowctl store migrate' as their owner"
    private static let timedOut =
        "run the command again; look for locks in the server's pg_stat_activity"
    private static let standby =
        "list all servers in --store, such as postgres://USER@HOST,HOST/DATABASE, or promote "
        + "this one"

    /// Translates a store's failure for the command line.
    init(_ error: EventStoreError) {
        let (status, hint): (ExitStatus, String?) =
            switch error {
            case .conflict: (.tryAgain, "run the command again")
            case .addressTaken: (.refused, "continue with the existing session")
            case .busy: (.tryAgain, "another process is writing; run the command again")
            case .timedOut: (.tryAgain, Self.timedOut)
            case .leaseLost: (.tryAgain, "run the command again")
            case .noDatabase: (.configuration, Self.noDatabase)
            case .noTables: (.configuration, Self.noTables)
            case .denied:
                (.credentials, "check the user and password in --store, PGPASSWORD or ~/.pgpass")
            case .missingRight: (.credentials, Self.missingRight)
            case .standby: (.unavailable, Self.standby)
            case .untrusted:
                (
                    .unavailable,
                    "for a file, run the command as its owner, and check who can write to its folder; for a "
                        + "server, check sslmode and sslrootcert in --store, its certificate and host name"
                )
            case .crowded:
                (.tryAgain, "run the command again, or raise the server's max_connections")
            case .corrupt:
                (.damaged, "run 'workflowctl verify' to find the bad record, and restore a backup")
            case .secretMissing:
                (.refused, "drive the session from the store that has its sealed values and keys")
            case .unwritable:
                (.defect, "this is a defect: report it, with the output of 'doctor'")
            case .moved:
                (.refused, "use the store that has them now: --store URL")
            case .notAdopted:
                (
                    .refused,
                    "make sure that no engine uses another copy, then run 'workflowctl store "
                        + "adopt --reason TEXT'"
                )
            case .cursorRefused(let refusal): (.refused, Self.hint(for: refusal))
            case .foreign: (.damaged, "choose a workflowctl store with --store URL")
            case .alteredSchema:
                (
                    .damaged,
                    "someone else changed the file: find out who, remove what they added and run "
                        + "'workflowctl verify'"
                )
            case .newerSchema:
                (.unavailable, "use the build that wrote the store, or a newer one")
            case .full: (.unavailable, "free some space, then run the command again")
            case .readOnly:
                (
                    .unavailable,
                    "check the permissions of the file and its directory; for a server, check "
                        + "that it is not a standby"
                )
            case .unavailable(let reason, _) where reason.utf8.contains("has an older schema".utf8):
                // Whoever only reads a file does not upgrade it.
                (
                    .unavailable,
                    "run 'workflowctl store migrate' to upgrade it to this build's schema"
                )
            case .unavailable, .inputOutput:
                (.unavailable, "check --store, and the file's permissions or the server")
            case .limit: (.unavailable, nil)
            case .overloaded: (.tryAgain, "run the command again")
            case .closed: (.defect, "please report this, with the command that you ran")
            }
        self.init(status, error.code, error.description, hint: hint)
    }

    private static func hint(for refusal: LogCursor.Refusal) -> String {
        switch refusal {
        case .otherStore: "use the store that it came from: --store URL"
        case .otherEpoch:
            "the store was adopted, as after a restore, and may lack records; begin again without "
                + "the log position"
        case .beyondEnd:
            "if a backup was restored, adopt it and begin again without the log position; a standby "
                + "that lags behind catches up"
        }
    }

    /// Translates a vault's failure for the command line.
    init(_ error: KeyVaultError) {
        switch error {
        case .missing(let reason):
            self.init(
                .configuration,
                error.code,
                reason,
                hint: "set WORKFLOWCTL_KEY_FILE to the key file, or restore it from a backup"
            )
        case .insecurePermissions(let path, let mode):
            self.init(
                .configuration,
                error.code,
                "the key file \(path) is readable by others (mode \(String(mode, radix: 8)))",
                hint:
                    "run 'chmod 600 \(ShellText.word(path))'; if others had access, treat the keys as known to them"
            )
        case .foreignOwner(let path, let owner):
            self.init(
                .configuration,
                error.code,
                "the key file \(path) is owned by another user (uid \(owner))",
                hint:
                    "check its contents and run 'chown' on it; if others had access, treat the "
                    + "keys as known to them"
            )
        case .malformed(let reason):
            self.init(
                .configuration,
                error.code,
                reason,
                hint: "restore the key file from a backup; a changed key cannot unwrap anything"
            )
        case .wrongKey:
            self.init(
                .credentials,
                error.code,
                "the session's keys were wrapped by another master key",
                hint: "set WORKFLOWCTL_KEY_FILE to the right key file"
            )
        case .unavailable(let reason):
            self.init(.configuration, error.code, reason)
        }
    }

    /// Translates an engine's failure for the command line; rejections get a better hint from the
    /// session's state.
    init(_ error: EngineError) {
        switch error {
        case .rejected(let rejection): self.init(rejection, hint: nil)
        case .unknownSession:
            self.init(
                .unknown,
                error.code,
                error.description,
                hint: "run 'workflowctl list' to see the sessions in the store"
            )
        case .erased(let session):
            self.init(
                .refused,
                error.code,
                "\(error.description): it can be read but not driven",
                hint:
                    "'workflowctl show \(session.short)' and 'workflowctl log \(session.short)' still work"
            )
        case .store(let failure): self.init(failure)
        case .vault(let failure): self.init(failure)
        case .damaged:
            self.init(
                .damaged,
                error.code,
                error.description,
                hint: "run 'workflowctl verify' to find the first bad record"
            )
        case .notAuthentic(let session, _):
            self.init(
                .damaged,
                error.code,
                error.description,
                hint:
                    "the session is not driven; inspect it with 'workflowctl verify \(session.short)' "
                    + "and 'workflowctl log \(session.short)'"
            )
        case .misfiled:
            self.init(
                .damaged,
                error.code,
                error.description,
                hint:
                    "nothing was sent; 'workflowctl verify' names the rows that differ from the logs"
            )
        case .imported(let session):
            self.init(
                .refused,
                error.code,
                error.description,
                hint:
                    "run 'workflowctl explain \(session)' to see what happened; drive it from "
                    + "the store where it was opened"
            )
        case .badAddress: self.init(.usage, error.code, error.description)
        case .overloaded:
            self.init(.tryAgain, error.code, error.description, hint: "run the command again")
        case .stopping: self.init(.interrupted, error.code, error.description)
        }
    }

    /// Translates a rejection by the session's rules.
    init(_ rejection: Rejection, hint: String?) {
        if case .malformedStatement(let flaw) = rejection {
            self.init(flaw)
            return
        }
        let status: ExitStatus =
            switch rejection {
            case .unknownAction: .unknown
            default: .refused
            }
        self.init(status, rejection.code, rejection.description, hint: hint)
    }
}
