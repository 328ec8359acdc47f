package failpoint

// Point is a moment at which a process may die. Its text is its name in the variable FAILPOINTS.
type Point string

// Every point. A test holds that the code passes each of these and no other.
const (
	// AfterOrderKept: billing has kept an order, and the provider has no page for it.
	AfterOrderKept Point = "after_order_kept"
	// AfterSessionCreated: the provider has opened an order's page, and billing has not noted which.
	AfterSessionCreated Point = "after_session_created"
	// AfterSessionKept: billing has noted an order's page, and the member does not know its address.
	AfterSessionKept Point = "after_session_kept"
	// AfterWebhookKept: billing has kept a webhook's event, and the provider has no answer.
	AfterWebhookKept Point = "after_webhook_kept"
	// AfterGrantBeforeCommit: billing's transaction has given what was paid for, and is not committed.
	AfterGrantBeforeCommit Point = "after_grant_before_commit"
	// AfterCommitBeforeAnswer: billing's transaction is committed, and its caller has no answer.
	AfterCommitBeforeAnswer Point = "after_commit_before_answer"
	// AfterChangeKept: billing has kept that a plan is to be changed, and the provider has not been asked for it.
	AfterChangeKept Point = "after_change_kept"
	// AfterChangeMade: the provider has changed a plan, and billing has not noted it.
	AfterChangeMade Point = "after_change_made"
	// AfterSendBeforeMark: the mail server has taken a letter, and mail has not noted it.
	AfterSendBeforeMark Point = "after_send_before_mark"
	// AfterPublishBeforeMark: the broker has events of any service's outbox, and the outbox still counts them as waiting.
	AfterPublishBeforeMark Point = "after_publish_before_mark"
	// AfterHandledBeforeAck: a service has handled events, and the broker still counts them as waiting.
	AfterHandledBeforeAck Point = "after_handled_before_ack"
)
