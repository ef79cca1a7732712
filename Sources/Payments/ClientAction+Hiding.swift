// The values that a client needs in order to act are secret: no message or debugger dump shows
// them.

extension Payment.ClientAction: CustomStringConvertible, CustomReflectable {
    /// The identifier and the kind, without the values.
    public var description: String { "\(id.rawValue) \(view.kind)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payment.AppLaunch: CustomStringConvertible, CustomReflectable {
    /// A description without the link.
    public var description: String { "an app to open" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payment.BrowserForm: CustomStringConvertible, CustomReflectable {
    /// The number of fields, without their values and the target URL.
    public var description: String { "a form of \(fields.count) fields" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payment.WalletRequest: CustomStringConvertible, CustomReflectable {
    /// The wallet, without the PSP's data.
    public var description: String { "a request to \(wallet.rawValue)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payment.HostedPage: CustomStringConvertible, CustomReflectable {
    /// A description without the URLs.
    public var description: String { "a page of the PSP" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
