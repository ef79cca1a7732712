// A service that embeds the engine, to be killed: it pays many sessions at once and tells what was
// acknowledged.
//
//     CampaignHost STORE JOBS ACKNOWLEDGEMENTS [PLACE HOSTS]
//
// JOBS is a file with one job a line; STORE may be in use by other programs. With PLACE and HOSTS
// several hosts share the jobs: each opens its own and drives all of them. It ends when every job
// is over.
//
// CAMPAIGN_SABOTAGE breaks it on purpose, to show that a campaign notices: `startTwice` calls the
// PSP twice for each attempt, `acknowledgeEarly` tells of an attempt before the engine has it, and
// ends.
//
// STORE is a path, or a URL of PostgreSQL: then CAMPAIGN_KEY_FILE is the key file, CAMPAIGN_LEASE
// the time of a lease and CAMPAIGN_BALANCING how often sessions are shared anew, both in
// milliseconds.
//
// CAMPAIGN_VISITS, whatever it says, makes clients look in for a moment and come back, in place of
// staying connected: only what nobody listens to is handed over.
//
// It ends with the process that started it, so that nothing is left behind when a campaign is
// broken off.

import EventLog
import Foundation
import SwedbankPay

let arguments = CommandLine.arguments
guard arguments.count == 4 || arguments.count == 6 else {
    FileHandle.standardError.write(Data("usage: CampaignHost STORE JOBS ACKNOWLEDGEMENTS\n".utf8))
    exit(64)
}
endWithParent()
let place = arguments.count == 6 ? Int(arguments[4]) ?? 0 : 0
let hosts = arguments.count == 6 ? Int(arguments[5]) ?? 1 : 1
let variables = ProcessInfo.processInfo.environment
let sabotage = variables["CAMPAIGN_SABOTAGE"].flatMap(Sabotage.init)

do {
    let jobs = try Job.read(arguments[2])
    let acknowledgements = try Acknowledgements(path: arguments[3])
    let service = try await Service(store: arguments[1], sabotage: sabotage)
    acknowledgements.tell(note: "ready")
    let known = acknowledgements.sessions
    await withDiscardingTaskGroup { group in
        let places = AsyncSlots(count: Player.atOnce)
        for job in jobs {
            await places.take()
            group.addTask {
                let player = Player(
                    job: job,
                    service: service,
                    acknowledgements: acknowledgements,
                    opens: job.number % hosts == place,
                    onlyVisits: variables["CAMPAIGN_VISITS"] != nil,
                    sabotage: sabotage
                )
                await player.run(from: known[job.reference])
                await places.give()
            }
        }
    }
    acknowledgements.tell(note: "done")
    await service.stop()
} catch let error as EventStoreError {
    FileHandle.standardError.write(Data("\(error.code): \(error)\n".utf8))
    exit(69)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(70)
}
