import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay

// Performs one kind of work on a recorded log a given number of times, and nothing else:
// 'scripts/count-instructions' counts its instructions from outside. A count of instructions is
// reproducible on a busy machine; a time is not.
//
// It is not asynchronous, since valgrind ends an asynchronous 'main'.
let arguments = CommandLine.arguments
guard arguments.count == 4, let work = Work(rawValue: arguments[1]), let times = Int(arguments[3])
else {
    print("usage: instructions \(Work.allCases.map(\.rawValue).joined(separator: "|")) LOG TIMES")
    exit(64)
}
let bed = try InstructionBed(of: arguments[2], for: work)
// Once more, so that initialization is not counted.
if times > 0 { try bed.perform(work) }
for _ in 0..<times { try bed.perform(work) }
// The number of events, for the division.
print(bed.events.count)
