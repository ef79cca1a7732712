import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay

// Does one kind of work on a recorded log, so often as is said, and nothing else: what it takes is
// counted from outside, by 'scripts/count-instructions'. A count of instructions repeats on a busy
// machine; a time does not.
//
// Without concurrency, since valgrind ends an asynchronous 'main'.
let arguments = CommandLine.arguments
guard arguments.count == 4, let work = Work(rawValue: arguments[1]), let times = Int(arguments[3])
else {
    print("usage: instructions \(Work.allCases.map(\.rawValue).joined(separator: "|")) LOG TIMES")
    exit(64)
}
let bed = try InstructionBed(of: arguments[2])
if times > 0 { try bed.warmUp() }
for _ in 0..<times { try bed.perform(work) }
// The number of events, for whoever divides.
print(bed.events.count)
