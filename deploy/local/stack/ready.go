package stack

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"time"
)

const (
	// readyPoll is short, since a person waits for the start.
	readyPoll = 25 * time.Millisecond
	// answerTime bounds one question.
	answerTime = 10 * time.Second
	// readyTell is how often the start reports the part that it waits for.
	readyTell = 15 * time.Second
	// stillTime is how long a part may give the same answer: on a busy machine a start is slow, not broken.
	stillTime = 10 * time.Minute
)

func (s *Stack) awaitReady(ctx context.Context, i instance, live running) error {
	client, err := s.listenerClient(i.name)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	ask := func(ctx context.Context) (string, bool) { return ready(ctx, client, s.partURL(i.part)+"/readyz") }
	tell := func(answer string) { s.options.Tell("Waiting for " + i.part + ": " + answer) }
	return await(ctx, live, ask, tell)
}

// await asks a part until it is ready, and tells at times what it answers instead. It fails where the part has ended, or has
// given the same answer for stillTime.
func await(ctx context.Context, live running, ask func(context.Context) (answer string, ready bool), tell func(answer string)) error {
	ticker := time.NewTicker(readyPoll)
	defer ticker.Stop()
	var last string
	changed, told := time.Now(), time.Now()
	for {
		select {
		case <-live.done:
			return fmt.Errorf("ended at once: %w", live.err())
		case <-ctx.Done():
			return fmt.Errorf("did not become ready: %w", ctx.Err())
		case <-ticker.C:
		}
		answer, ready := ask(ctx)
		if ready {
			return nil
		}
		if answer != last {
			last, changed = answer, time.Now()
		}
		if time.Since(changed) > stillTime {
			return fmt.Errorf("did not become ready: for %s it has said: %s", stillTime, answer)
		}
		if time.Since(told) > readyTell {
			told = time.Now()
			tell(answer)
		}
	}
}

// ready asks a service's readiness; its answer is a line.
func ready(ctx context.Context, client *http.Client, url string) (answer string, ready bool) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err.Error(), false
	}
	res, err := client.Do(req)
	if err != nil {
		return "it does not answer yet", false
	}
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	lines.Scan()
	return lines.Text(), res.StatusCode == http.StatusOK
}
