public import EventLog

/// The client was asked to perform a task of a snapshot.
public struct TaskRequested: Hashable, Sendable {
    /// The action that the client reports on.
    public var action: ActionID
    /// The task.
    public var key: TaskKey
    /// The attempt it belongs to; `nil` when none of ours is running.
    public var attempt: Int?
    /// The task itself, with its address and fields sealed.
    public var task: IntegrationTask
    /// For 3-D Secure, the address that the challenge's result is posted to.
    public var notificationURL: Sealed?

    /// Creates the data of a request for a task.
    public init(
        action: ActionID,
        key: TaskKey,
        attempt: Int?,
        task: IntegrationTask,
        notificationURL: Sealed? = nil
    ) {
        self.action = action
        self.key = key
        self.attempt = attempt
        self.task = task
        self.notificationURL = notificationURL
    }
}

extension TaskRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        self = try RequestMembers(&members, value.map { RequestMembers(request: $0.whole) }).request
    }
}

/// The members of a request to the client, side by side.
struct RequestMembers {
    var request: TaskRequested
    var callbackURL: OutsideText?
    var method: PaymentMethodName?

    init(
        request: TaskRequested,
        callbackURL: OutsideText? = nil,
        method: PaymentMethodName? = nil
    ) {
        (self.request, self.callbackURL, self.method) = (request, callbackURL, method)
    }

    /// Processes the members of a request.
    ///
    /// - Parameters:
    ///   - members: The pass that reads, writes or samples the members.
    ///   - value: The members to write; `nil` when they are being created.
    /// - Throws: ``EventDecodingError`` when the members can't be read.
    init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        let old = value?.request
        let action = try members.require("action", old?.action)
        let attempt = try members.find("attempt", old?.attempt)
        callbackURL = try members.find("callbackURL", value?.callbackURL)
        let key = try members.require("key", old?.key)
        let notificationURL = try members.find("notificationURL", old?.notificationURL)
        method = try members.find("paymentMethod", value?.method)
        let task = try members.require("task", old?.task)
        request = TaskRequested(
            action: action,
            key: key,
            attempt: attempt,
            task: task,
            notificationURL: notificationURL
        )
    }
}
