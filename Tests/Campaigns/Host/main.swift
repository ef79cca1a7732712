// A service that embeds the engine and is meant to be killed: it makes many payments concurrently
// and records what was acknowledged.
//
//     CampaignHost STORE JOBS ACKNOWLEDGEMENTS [PLACE HOSTS]
//
// JOBS is a file with one job in each line; STORE may be in use by other programs. With PLACE and
// HOSTS, several hosts share the jobs: each opens its own sessions, and all drive all of them. The
// service ends when every job is completed.
//
// CAMPAIGN_SABOTAGE adds a defect that a campaign must detect: `startTwice` calls the PSP twice for
// each attempt, `acknowledgeEarly` acknowledges an attempt before the engine has recorded it, and
// ends, `skipBatch` counts a batch of events as published without sending it.
//
// STORE is a path, or a PostgreSQL URL; then CAMPAIGN_KEY_FILE is the key file, CAMPAIGN_LEASE the
// duration of a lease, and CAMPAIGN_BALANCING the interval of balancing, both in milliseconds.
//
// If CAMPAIGN_VISITS is set, clients connect briefly and come back instead of staying connected,
// because only sessions without subscribers are handed over.
//
// With CAMPAIGN_RECEIVER, a URL, the host publishes all events to it before it ends, from the
// position in the file CAMPAIGN_POSITION.
//
// It ends with its parent process, so that nothing is left running when a campaign is interrupted.

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
    acknowledgements.record(note: "ready")
    let known = acknowledgements.sessions
    await withDiscardingTaskGroup { group in
        let places = AsyncSlots(count: Player.atOnce)
        for job in jobs {
            await places.acquire()
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
                await places.release()
            }
        }
    }
    if let url = variables["CAMPAIGN_RECEIVER"], let position = variables["CAMPAIGN_POSITION"] {
        try await service.publish(to: url, from: position)
    }
    acknowledgements.record(note: "done")
    await service.stop()
} catch let error as EventStoreError {
    FileHandle.standardError.write(Data("\(error.code): \(error)\n".utf8))
    exit(69)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(70)
}
