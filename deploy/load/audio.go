package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// requestTime bounds one meditation.
const requestTime = 2 * time.Minute

// measureAudio asks for a meditation on the whole product, every service a process of its own.
func measureAudio(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	member, err := product.NewMember(ctx)
	if err != nil {
		return nil, err
	}
	form, err := member.Generator.GetGenerator(ctx, &webv1.GetGeneratorRequest{})
	if err != nil {
		return nil, err
	}
	b.say("  %d requests of Generate", b.requests)
	waits, err := firstSounds(ctx, member, form, b.requests)
	if err != nil {
		return nil, err
	}
	if len(waits) > 0 {
		figures = []Figure{
			Figure{Name: "Generate to first sound, p50", Value: seconds(percentile(waits, 50))}.below(1),
			Figure{Name: "Generate to first sound, p95", Value: seconds(percentile(waits, 95))}.below(2),
			{Name: "Generate to first sound, worst", Value: seconds(slices.Max(waits))},
		}
	}
	if b.timeouts == 0 {
		return figures, nil
	}
	b.say("  %d whole Timeouts", b.timeouts)
	whole, err := wholeTimeouts(ctx, b, member)
	return append(figures, whole...), err
}

// openProduct starts the product in a folder that goes with it.
func openProduct(ctx context.Context) (product *harness.Harness, leave func() error, err error) {
	dir, err := os.MkdirTemp("", "serein-load-")
	if err != nil {
		return nil, nil, err
	}
	// Everybody comes from one address here, which would otherwise be asked to slow down.
	product, err = harness.Start(ctx, dir, map[string]string{"LIMIT_SCALE": "1000000"})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	leave = func() error { return errors.Join(product.Stop(), os.RemoveAll(dir)) }
	if err := awaitTracks(ctx, product); err != nil {
		return nil, nil, errors.Join(err, leave())
	}
	return product, leave, nil
}

// firstSounds asks for a meditation again and again and cancels what it has heard the beginning of,
// so that the machine is idle before the next request and the credits come back.
func firstSounds(ctx context.Context, m *harness.Member, form *webv1.GetGeneratorResponse, requests int) ([]time.Duration, error) {
	var waits []time.Duration
	for i := range requests {
		wait, err := firstSound(ctx, m, request(form, i))
		if err != nil {
			return waits, fmt.Errorf("request %d: %w", i+1, err)
		}
		waits = append(waits, wait)
	}
	return waits, nil
}

func firstSound(ctx context.Context, m *harness.Member, w *webv1.GenerateRequest) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	began := time.Now()
	made, err := m.Generate(ctx, w)
	if err != nil {
		return 0, err
	}
	err = watch(ctx, m, made.GetId(), func(change *webv1.WatchMeditationResponse) (bool, error) {
		if len(change.GetNewSegments()) == 0 {
			return false, nil
		}
		return true, fetch(ctx, m.Browser, change.GetNewSegments()[0].GetAudioUrl())
	})
	wait := time.Since(began)
	if err != nil {
		return 0, err
	}
	if _, err := m.Generator.CancelMeditation(ctx, &webv1.CancelMeditationRequest{Id: made.GetId()}); err != nil {
		return 0, fmt.Errorf("cancel: %w", err)
	}
	return wait, awaitIdle(ctx, m)
}

// sentenceTime is how long a sentence that is being spoken may go on after its meditation was cancelled.
const sentenceTime = time.Second

// awaitIdle waits until the member's credits are back and nothing is spoken any more.
func awaitIdle(ctx context.Context, m *harness.Member) error {
	err := harness.Eventually(ctx, "the credits of a cancelled meditation", func() (bool, error) {
		credits, err := m.Credits(ctx)
		return credits.GetHeld() == 0, err
	})
	if err != nil {
		return err
	}
	return pause(ctx, sentenceTime)
}

// watch follows a meditation until seen says that it has seen enough.
func watch(ctx context.Context, m *harness.Member, id string, seen func(*webv1.WatchMeditationResponse) (bool, error)) error {
	stream, err := m.Generator.WatchMeditation(ctx, &webv1.WatchMeditationRequest{Id: id})
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	for stream.Receive() {
		if enough, err := seen(stream.Msg()); enough || err != nil {
			return err
		}
	}
	return errors.Join(errors.New("the stream ended early"), stream.Err())
}

// fetch reads a recording to its end.
func fetch(ctx context.Context, b *harness.Browser, address string) error {
	page, err := b.Get(ctx, address)
	if err != nil {
		return err
	}
	if page.StatusCode != http.StatusOK || len(page.Body) == 0 {
		return fmt.Errorf("%s: %s, %d bytes", address, page.Status, len(page.Body))
	}
	return nil
}
