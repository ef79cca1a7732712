// What a client needs in order to act is a secret: neither a message nor a debugger's dump shows
// it.

extension Payment.ClientAction: CustomStringConvertible, CustomReflectable {
    /// The identity and the kind; never what the client needs in order to act.
    public var description: String { "\(id.rawValue) \(view.kind)" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payment.AppLaunch: CustomStringConvertible, CustomReflectable {
    /// Never the link.
    public var description: String { "an app to open" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payment.BrowserForm: CustomStringConvertible, CustomReflectable {
    /// How many fields; never what they hold, nor where they go.
    public var description: String { "a form of \(fields.count) fields" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payment.WalletRequest: CustomStringConvertible, CustomReflectable {
    /// The wallet; nothing of what the PSP handed over.
    public var description: String { "a request to \(wallet.rawValue)" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Payment.HostedPage: CustomStringConvertible, CustomReflectable {
    /// Never the addresses.
    public var description: String { "a page of the PSP's" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
