package import EventLog

extension MetricReadings {
    /// Returns readings as one JSON document.
    package static func json(_ readings: [Reading]) -> JSONValue {
        .object([
            .init(
                "metrics",
                .array(
                    readings.map { reading in
                        .object([
                            .init("name", .string(reading.name)),
                            .init(
                                "labels",
                                .object(
                                    reading.labels.map { .init($0.name, .string($0.value)) }
                                )
                            ),
                            .init("value", .integer(Int64(exactly: reading.value) ?? .max)),
                        ])
                    }
                )
            )
        ])
    }
}
