package jobs

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// LogoutQueue holds the notices to clients of ended sessions, and nothing else: a client that does not answer delays no mail.
const LogoutQueue = "logouts"

// LogoutNotice tells one client that one session has ended.
type LogoutNotice struct {
	ClientID string    `json:"client_id"`
	UID      uuid.UUID `json:"uid"`
	SID      uuid.UUID `json:"sid"`
}

// Kind is the job's stable name.
func (LogoutNotice) Kind() string { return "identity.logout_notice" }

// InsertOpts bound the tries: River waits attempt^4 seconds, so eight are spread over about eighty minutes.
func (LogoutNotice) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, Queue: LogoutQueue}
}

// Teller tells a client. An error means that it may be tried again.
type Teller interface {
	Tell(ctx context.Context, clientID string, uid, sid uuid.UUID) error
}

// LogoutNoticeWorker works LogoutNotice.
type LogoutNoticeWorker struct {
	river.WorkerDefaults[LogoutNotice]
	Clients Teller
}

// Timeout is longer than one call may take.
func (*LogoutNoticeWorker) Timeout(*river.Job[LogoutNotice]) time.Duration { return 10 * time.Second }

// Work tells the client.
func (w *LogoutNoticeWorker) Work(ctx context.Context, job *river.Job[LogoutNotice]) error {
	return w.Clients.Tell(ctx, job.Args.ClientID, job.Args.UID, job.Args.SID)
}
