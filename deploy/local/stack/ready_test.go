package stack

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// starting is a part that answers one thing for that long after another.
type starting struct {
	began   time.Time
	answers []string
	each    time.Duration
}

func (s starting) ask(context.Context) (string, bool) {
	at := int(time.Since(s.began) / s.each)
	if at >= len(s.answers) {
		return "ready", true
	}
	return s.answers[at], false
}

func alive() running { return running{done: make(chan struct{})} }

func TestAPartThatIsSlowIsWaitedForAndSaysWhatItDoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := starting{time.Now(), []string{"it does not answer yet", "not ready: database", "not ready: catalogue"}, stillTime - time.Second}
		var told []string
		require.NoError(t, await(t.Context(), alive(), slow.ask, func(answer string) { told = append(told, answer) }))
		require.Subset(t, told, slow.answers)
		require.GreaterOrEqual(t, time.Since(slow.began), 3*slow.each)
		require.LessOrEqual(t, len(told), int(3*slow.each/readyTell))
	})
}

func TestAPartThatStandsStillOrHasEndedIsAFault(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		still := starting{time.Now(), []string{"not ready: database"}, 2 * stillTime}
		err := await(t.Context(), alive(), still.ask, func(string) {})
		require.ErrorContains(t, err, "not ready: database")
		require.Less(t, time.Since(still.began), stillTime+time.Second)

		done := make(chan struct{})
		close(done)
		err = await(t.Context(), running{done: done, err: func() error { return errors.New("no such table") }}, still.ask, func(string) {})
		require.ErrorContains(t, err, "no such table")

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, await(ctx, alive(), still.ask, func(string) {}), context.DeadlineExceeded)
	})
}

func TestReadinessIsWhatAServiceAnswers(t *testing.T) {
	t.Parallel()
	status := http.StatusServiceUnavailable
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "not ready: database", status) }))
	answer, is := ready(t.Context(), server.Client(), server.URL)
	require.Equal(t, "not ready: database", answer)
	require.False(t, is)
	status = http.StatusOK
	_, is = ready(t.Context(), server.Client(), server.URL)
	require.True(t, is)
	server.Close()
	answer, is = ready(t.Context(), server.Client(), server.URL)
	require.Equal(t, "it does not answer yet", answer)
	require.False(t, is)
}
