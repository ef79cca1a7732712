internal import EventLog
internal import Inspection

extension Verification {
    /// Prints the result.
    ///
    /// `isComplete` says whether all faults are listed, or the first only.
    func printResult(_ invocation: Invocation, asJSON: Bool, listing isComplete: Bool) -> ExitStatus
    {
        if asJSON {
            invocation.print(json(listing: isComplete))
        } else {
            for line in lines(invocation.output.style, listing: isComplete) {
                invocation.print(line)
            }
        }
        guard let first else { return .done }
        invocation.note("\(first.failure)")
        return first.failure.status
    }
}

extension Verification.Fault {
    /// Creates the fault of an invalid line.
    init(_ fault: LogReader.LineFault) {
        self.init(line: fault.line, kind: fault.kind, message: fault.message)
    }

    /// The fault as a command's failure.
    var failure: Failure {
        guard kind != "newer-version" else {
            return Failure(
                .unavailable,
                "log.newer-version",
                message,
                hint:
                    "use the build that wrote the log, or a newer one; the log may not be damaged"
            )
        }
        return Failure(
            .damaged,
            family + "." + kind,
            message,
            hint: kind == "line-too-long"
                ? "use the file as it was exported; this one is damaged, is no log, or another "
                    + "program has rewritten it"
                : (stillTrue ?? "the records before it are valid")
                    + "; compare the log with a backup"
        )
    }
}
