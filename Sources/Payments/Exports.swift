// The types in this module's declarations, so that `import Payments` suffices to use them. The
// other declarations are in the modules themselves, which can be imported as well.

@_exported public import struct Adapters.Page
@_exported public import struct Adapters.PageReporting
@_exported public import struct Adapters.PageWords
@_exported public import struct Adapters.TransportConfiguration
@_exported public import struct EventLog.SessionID
@_exported public import struct Inspection.ActionView
@_exported public import struct Inspection.SessionView
@_exported public import struct SwedbankPay.ActionID
@_exported public import enum SwedbankPay.ClientReport
@_exported public import enum SwedbankPay.Instrument
@_exported public import struct SwedbankPay.OrderTransaction
@_exported public import enum SwedbankPay.Outcome
@_exported public import enum SwedbankPay.PaymentChoice
@_exported public import struct SwedbankPay.PaymentConfiguration
@_exported public import struct SwedbankPay.PaymentOrder
@_exported public import enum SwedbankPay.Rejection
