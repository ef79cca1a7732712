import EventLog
import Workflow

/// An event of the booking of a seat.
enum SeatEvent: WorkflowEvent, DataEvent {
    enum EventType: String, LoggedEventType { case wanted, started, failed, foundNone, held, ended }
    case wanted(seat: String)
    case started(StartedRequest<SeatRequest.Kind>), failed(FailedRequest<SeatRequest.Kind>)
    case foundNone, held
    case ended(how: String)
    case unknown(UnknownEvent)

    var isEnd: Bool { if case .ended = self { true } else { false } }
    var unknownEvent: UnknownEvent? { if case .unknown(let event) = self { event } else { nil } }

    var form: (type: EventType, data: EventData)? {
        switch self {
        case .wanted(let seat): (.wanted, EventData(["seat": .string(seat)]))
        case .started(let start): (.started, start.data)
        case .failed(let failure): (.failed, failure.data)
        case .foundNone: (.foundNone, EventData())
        case .held: (.held, EventData())
        case .ended(let how): (.ended, EventData(["how": .string(how)]))
        case .unknown: nil
        }
    }

    init(_ type: EventType, from data: EventData) throws(EventDecodingError) {
        switch type {
        case .wanted: self = .wanted(seat: try data.text("seat"))
        case .started: self = .started(try StartedRequest(from: data))
        case .failed: self = .failed(try FailedRequest(from: data))
        case .foundNone: self = .foundNone
        case .held: self = .held
        case .ended: self = .ended(how: try data.text("how"))
        }
    }
}
