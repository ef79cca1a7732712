import EventLog
import Testing

@testable import Adapters
@testable import EventStores

/// What is shown of a connection string.
@Suite struct ConnectionStringTests {
    @Test(
        arguments: [
            "postgres://u:SECRET@h/d", "postgres://h/d?password=SECRET",
            "postgres://h/d?p%61ssword=SECRET", "postgres://u:SE?CRET@h/d",
            "postgres://h/d?sslpassword=SECRET", "postgres://h/d?%70%61%73%73%77%6f%72%64=SECRET",
            "postgresql://:SECRET@h:5432,i/d?sslmode=require", "postgres://u:SECRET@/d?host=h",
        ]
    )
    func `a password is recognised as libpq reads it, and no address shows it`(text: String) {
        #expect(PostgreSQLKind.mayHoldPassword(text))
        #expect(!PostgreSQLKind(text).place.contains("SE"))
    }

    @Test func `an address without a password is shown with its hosts and its database`() {
        let cases = [
            ("postgres://u@db.example/payments", "postgres://db.example/payments"),
            ("postgres://u@a:5433,b:5434/p?sslmode=require", "postgres://a:5433,b:5434/p"),
            ("postgres://u@[::1]:5432/p", "postgres://[::1]:5432/p"),
            ("postgres:///p?host=/run/pg", "postgres://%2Frun%2Fpg/p"),
            ("postgres://h", "postgres://h"),
        ]
        for (text, place) in cases {
            #expect(!PostgreSQLKind.mayHoldPassword(text), "\(text)")
            #expect(PostgreSQLKind(text).place == place)
        }
    }

    @Test func `a text that libpq cannot read may hold a password`() {
        #expect(PostgreSQLKind.mayHoldPassword("postgres://u:SECRET@h:port/d?x"))
        #expect(PostgreSQLKind("postgres://u:SECRET@h/d?x=y").place == "postgres://")
    }

    @Test func `a NUL in a text that PostgreSQL cannot store is sent as U+FFFD`() {
        #expect(PQValue.text("a\0b").encoded == Array("a\u{FFFD}b".utf8))
        #expect(PQValue.texts(["a\0b"]).encoded?.suffix(5) == Array("a\u{FFFD}b".utf8)[...])
        let row = SessionSummary(
            session: SessionID(high: 0, low: 1),
            phase: "ready",
            isSettled: true,
            lastSequence: 1,
            openedAt: Instant(microseconds: 0),
            lastAt: Instant(microseconds: 0),
            reference: "order\0 7"
        )
        #expect(row.reference == "order\u{FFFD} 7")
    }
}
