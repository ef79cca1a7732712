import Testing

@testable import Adapters
@testable import EventLog
@testable import EventStores
@testable import Inspection
@testable import SwedbankPay
@testable import Workflow

@Suite struct AuditTrailTests {
    private static let begin = Instant(microseconds: 1_763_640_000_000_000)
    private static let session = SessionID(at: begin, random: (7, 1))

    private let vault: MasterKeyVault

    init() throws { vault = try MasterKeyVault(masterKey: [UInt8](1...32)) }

    /// Writes a session of one event, with a data key, and returns the session's keys.
    private func fill(_ store: SQLiteEventStore) async throws -> SessionKeys {
        let (keys, wrapped) = try await vault.makeKeys(for: Self.session)
        let event = RecordedEvent(
            stream: Self.session,
            sequence: 1,
            at: Self.begin,
            event: .refetchRequested(RefetchRequested(by: "host")),
            metadata: EventMetadata(build: "1", catalogue: "", cause: "command.refetch", node: "n")
        )
        let record = try RecordWriter.unsealedRecord(event, after: .empty, keys: keys)
        var summary = SessionSummary(
            session: Self.session,
            phase: "opening",
            isSettled: false,
            lastSequence: 1,
            openedAt: Self.begin,
            lastAt: Self.begin
        )
        summary.headMAC = keys.mac(of: StreamHead(sequence: 1, hash: record.hash))
        try await store.append(
            StreamAppend(
                stream: Self.session,
                expectedVersion: 0,
                records: [record],
                summary: summary,
                wrappedKey: wrapped
            )
        )
        return keys
    }

    private func trail(of store: SQLiteEventStore, hasKeys: Bool = true) -> AuditTrail {
        let vault = hasKeys ? vault : nil
        return AuditTrail(
            of: store,
            by: SessionDecider(catalogue: .bundled),
            build: "1",
            node: "n",
            now: { Self.begin },
            vault: { vault }
        )
    }

    @Test func `a note is sealed with the session's key and appended`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let keys = try await fill(store)
            let sequence = try await trail(of: store).addNote(
                "the payer called \n",
                by: "anna",
                to: Self.session
            )
            #expect(sequence == 2)
            let log = try await store.log(of: Self.session, isSound: true)
            guard case .noteAdded(let note)? = log.events.last?.event else {
                Issue.record("there is no note")
                return
            }
            #expect(note.by == "anna")
            #expect(log.secrets(with: keys)[note.text] == "the payer called")
            await store.close()
        }
    }

    @Test func `a note is refused without keys, in an erased session, and if it is empty`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            _ = try await fill(store)
            func refusal(_ text: String, by trail: AuditTrail) async -> AuditTrailError? {
                do throws(AuditTrailError) {
                    _ = try await trail.addNote(text, by: "anna", to: Self.session)
                    return nil
                } catch {
                    return error
                }
            }
            guard case .malformedNote? = await refusal(" ", by: trail(of: store)),
                case .vault(.missing)? = await refusal("a", by: trail(of: store, hasKeys: false))
            else {
                Issue.record("it was added")
                return
            }
            _ = try await store.destroyKeys(of: [Self.session])
            guard case .engine(.erased(Self.session))? = await refusal("a", by: trail(of: store))
            else {
                Issue.record("it was added to an erased session")
                return
            }
            #expect(try await store.allRecords(of: Self.session).count == 1)
            await store.close()
        }
    }
}
