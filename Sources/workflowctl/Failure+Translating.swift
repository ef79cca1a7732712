internal import EventLog
internal import SwedbankPay
internal import Workflow

extension Failure {
    private static let noDatabase =
        "correct the name in --store; or make the database, 'createdb -h HOST -U USER DATABASE', and in it a store: "
        + "'workflowctl store init'"
    private static let noTables =
        "'workflowctl store init' makes them; if there was a store, --store names another database or schema than it did"

    /// Returns a store's error as a failure of the command line.
    init(_ error: EventStoreError) {
        let (status, hint): (ExitStatus, String?) =
            switch error {
            case .conflict: (.tryAgain, "run the command again")
            case .addressTaken: (.refused, "go on with the session that is there")
            case .busy: (.tryAgain, "another process is writing; run the command again")
            case .leaseLost: (.tryAgain, "run the command again")
            case .noDatabase: (.configuration, Self.noDatabase)
            case .noTables: (.configuration, Self.noTables)
            case .denied:
                (
                    .credentials,
                    "check user and password: in --store, PGPASSWORD or the file ~/.pgpass"
                )
            case .missingRight:
                (
                    .credentials,
                    "'workflowctl store grants ROLE' prints what the role needs; tables are made and brought to this "
                        + "build's schema by their owner: 'workflowctl store migrate'"
                )
            case .standby:
                (
                    .unavailable,
                    "name all servers in --store, 'postgres://USER@HOST,HOST/BASE', or promote this one"
                )
            case .untrusted:
                (
                    .unavailable,
                    "check sslmode and sslrootcert in --store, and the server's certificate and name"
                )
            case .crowded:
                (.tryAgain, "run the command again, or raise the server's max_connections")
            case .corrupt:
                (.damaged, "'workflowctl verify' finds the first bad record; restore a copy")
            case .secretMissing:
                (.refused, "drive the session from the store that has its seals and keys")
            case .moved:
                (.refused, "name the store that has them now with --store URL")
            case .notAdopted:
                (
                    .refused,
                    "make sure that no engine works with another copy, then say so: 'workflowctl store adopt --reason TEXT'"
                )
            case .foreign:
                (.damaged, "name a store of this program with --store URL")
            case .alteredSchema:
                (
                    .damaged,
                    "somebody could write the file: find out who, then drop what is not ours and run 'workflowctl verify'"
                )
            case .newerSchema:
                (.unavailable, "use the build that wrote the store, or a newer one")
            case .full: (.unavailable, "make room, then run the command again")
            case .readOnly:
                (
                    .unavailable,
                    "check the permissions of the file and of its directory; of a server, whether it is a standby"
                )
            case .unavailable, .inputOutput:
                (.unavailable, "check --store, and the file's permissions or the server")
            case .limit: (.unavailable, nil)
            case .overloaded: (.tryAgain, "run the command again")
            case .closed: (.defect, "please report this with the command that you ran")
            }
        self.init(status, error.code, error.description, hint: hint)
    }

    /// Returns a vault's error as a failure of the command line.
    init(_ error: KeyVaultError) {
        switch error {
        case .missing(let reason):
            self.init(
                .configuration,
                error.code,
                reason,
                hint: "give the key file with WORKFLOWCTL_KEY_FILE, or restore it"
            )
        case .insecurePermissions(let path, let mode):
            self.init(
                .configuration,
                error.code,
                "others may read the key file \(path) (mode \(String(mode, radix: 8)))",
                hint: "run 'chmod 600 \(path)'; if others had access, the keys are known to them"
            )
        case .foreignOwner(let path, let owner):
            self.init(
                .configuration,
                error.code,
                "the key file \(path) belongs to another user (number \(owner))",
                hint:
                    "look what it holds, then run 'chown' on it; if others had access, the keys are known to them"
            )
        case .malformed(let reason):
            self.init(
                .configuration,
                error.code,
                reason,
                hint: "restore the key file from a copy; a changed key opens nothing"
            )
        case .wrongKey:
            self.init(
                .credentials,
                error.code,
                "the session's keys were wrapped by another master key",
                hint: "name the right key file with WORKFLOWCTL_KEY_FILE"
            )
        case .unavailable(let reason):
            self.init(.configuration, error.code, reason)
        }
    }

    /// Returns an engine's error as a failure of the command line, with a hint that depends on the
    /// session's state.
    init(_ error: EngineError) {
        switch error {
        case .rejected(let rejection): self.init(rejection, hint: nil)
        case .unknownSession:
            self.init(
                .unknown,
                error.code,
                error.description,
                hint: "'workflowctl list' shows the sessions of the store"
            )
        case .erased(let session):
            self.init(
                .refused,
                error.code,
                "\(error.description): it can be read, not driven",
                hint: "'workflowctl show \(session)' and 'workflowctl log \(session)' still work"
            )
        case .store(let failure): self.init(failure)
        case .vault(let failure): self.init(failure)
        case .damaged:
            self.init(
                .damaged,
                error.code,
                error.description,
                hint: "'workflowctl verify' names the first bad record"
            )
        case .notAuthentic(let session, _):
            self.init(
                .damaged,
                error.code,
                error.description,
                hint:
                    "nothing is done for it; 'workflowctl verify \(session)' and 'workflowctl log \(session)' show what stands there"
            )
        case .imported(let session):
            self.init(
                .refused,
                error.code,
                error.description,
                hint:
                    "'workflowctl explain \(session)' tells what happened; it is driven where it was opened"
            )
        case .badAddress: self.init(.usage, error.code, error.description)
        case .overloaded:
            self.init(.tryAgain, error.code, error.description, hint: "run the command again")
        case .stopping: self.init(.interrupted, error.code, error.description)
        }
    }

    /// Returns a rejection by the session's rules as a failure.
    init(_ rejection: Rejection, hint: String?) {
        let status: ExitStatus =
            switch rejection {
            case .unknownAction: .unknown
            default: .refused
            }
        self.init(status, rejection.code, rejection.description, hint: hint)
    }
}
