internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import WorkflowTesting

/// Prints the faults and mutations of `simulate`.
enum SimulationLists {
    /// The faults, and how often each happens in a storm.
    static func printFaults(_ isJSON: Bool, _ invocation: Invocation) -> ExitStatus {
        let faults = SimulatedFaults.all
        if isJSON {
            invocation.print(
                .array(
                    faults.map {
                        [
                            "fault": .string($0.name),
                            "thousandths": .integer(Int64($0.stormy)),
                            "explanation": .string($0.meaning),
                        ]
                    }
                )
            )
        } else {
            let table = Table(
                columns: ["fault", "in a storm, ‰", "what happens"],
                rows: faults.map {
                    [$0.name, "\($0.stormy)", $0.meaning]
                }
            )
            invocation.output.write(table.text(for: invocation.output))
        }
        return .done
    }

    /// The mutations, and what each breaks.
    static func printMutations(_ isJSON: Bool, _ invocation: Invocation) -> ExitStatus {
        if isJSON {
            invocation.print(
                .array(
                    Mutation.allCases.map {
                        [
                            "mutation": .string($0.rawValue),
                            "guarantees": .array($0.guarantees.map { .string($0.rawValue) }),
                            "explanation": .string($0.explanation),
                        ]
                    }
                )
            )
        } else {
            let table = Table(
                columns: ["mutation", "breaks", "how"],
                rows: Mutation.allCases.map {
                    [
                        $0.rawValue, $0.guarantees.map(\.rawValue).joined(separator: " or "),
                        $0.explanation,
                    ]
                }
            )
            invocation.output.write(table.text(for: invocation.output))
        }
        return .done
    }
}
