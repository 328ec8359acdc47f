package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

func offlineNotifier(t *testing.T) *Notifier {
	t.Helper()
	away, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	require.NoError(t, err)
	t.Cleanup(away.Close)
	return NewNotifier(away, testkit.Logger(t))
}

func TestSubscribersAreNotifiedOfTheirTopicUntilTheyLeave(t *testing.T) {
	t.Parallel()
	n := offlineNotifier(t)
	here, stopHere := n.Subscribe("a")
	alsoHere, stopAlso := n.Subscribe("a")
	elsewhere, stopElsewhere := n.Subscribe("b")
	n.notify("a")
	n.notify("a")
	<-here
	<-alsoHere
	require.Empty(t, here, "notifications that nobody has received yet are one")
	require.Empty(t, elsewhere)
	stopHere()
	n.notifyAll()
	<-alsoHere
	<-elsewhere
	require.Empty(t, here)
	stopAlso()
	stopElsewhere()
	require.Empty(t, n.topics, "nothing is left of a subscriber")
}

// A notification of a commit is lost if the connection is. So the notifier wakes all subscribers again and again until it
// is connected, and from then on wakes each for its topic only.
func TestSubscribersAreNotifiedDuringAndAfterALostConnection(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "generation", Migrate)
	n := NewNotifier(db.Pool, testkit.Logger(t))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	notified, unsubscribe := n.Subscribe("changed x")
	defer unsubscribe()
	go func() { ended <- n.Run(ctx) }()

	notify := func() {
		_, err := db.Pool.Exec(t.Context(), `SELECT pg_notify('generation', 'changed x')`)
		require.NoError(t, err)
	}
	// listener answers the connection that listens: a new one has another id.
	listener := func() (pid int) {
		require.Eventually(t, func() bool {
			return db.Pool.QueryRow(t.Context(), `SELECT pid FROM pg_stat_activity
				WHERE datname = current_database() AND query = 'LISTEN generation' AND state = 'idle'`).Scan(&pid) == nil
		}, testkit.Patience, 10*time.Millisecond)
		return pid
	}
	first := listener()
	<-notified // it has just begun to listen
	notify()
	<-notified

	_, err := db.Pool.Exec(t.Context(), `SELECT pg_terminate_backend($1)`, first)
	require.NoError(t, err)
	<-notified // the connection is lost
	second := listener()
	require.NotEqual(t, first, second)
	<-notified // it listens again
	notify()
	<-notified
	stop()
	require.NoError(t, <-ended)
}
