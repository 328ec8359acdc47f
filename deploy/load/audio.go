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
	"serein.app/services/platform/pause"
)

// requestTime bounds one meditation.
const requestTime = 2 * time.Minute

// measureAudio asks for a meditation on the whole product, with a separate process for each service.
func measureAudio(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	b.say("  %d requests of Generate", b.requests)
	members, err := newMembers(ctx, product, b.requests)
	if err != nil {
		return nil, err
	}
	waits, err := firstSounds(ctx, members)
	if err != nil {
		return nil, err
	}
	if len(waits.sound) > 0 {
		figures = []Figure{
			Figure{Name: "Generate, pressed to answered, p50", Value: milliseconds(percentile(waits.answer, 50))}.below(8),
			{Name: "Generate, pressed to answered, p95", Value: milliseconds(percentile(waits.answer, 95))},
			Figure{Name: "Generate to first sound, p50", Value: seconds(percentile(waits.sound, 50))}.below(1),
			Figure{Name: "Generate to first sound, p95", Value: seconds(percentile(waits.sound, 95))}.below(2),
			{Name: "Generate to first sound, worst", Value: seconds(slices.Max(waits.sound))},
		}
	}
	b.say("  the same %d again, with their first sentences kept", b.requests)
	again, err := firstSounds(ctx, members)
	if err != nil {
		return figures, err
	}
	if len(again.sound) > 0 {
		figures = append(figures, Figure{Name: "Generate to first sound, first sentence kept, p50", Value: seconds(percentile(again.sound, 50))}.below(0.12))
	}
	b.say("  %d members at once", atOnce)
	together, err := firstSoundsAtOnce(ctx, product, b.requests)
	if err != nil {
		return figures, err
	}
	figures = append(figures, together)
	if b.timeouts == 0 {
		return figures, nil
	}
	member, err := product.NewMember(ctx)
	if err != nil {
		return figures, err
	}
	b.say("  %d whole Timeouts", b.timeouts)
	whole, err := wholeTimeouts(ctx, b, member)
	return append(figures, whole...), err
}

// openProduct starts the product in a folder that goes with it.
func openProduct(ctx context.Context) (product *harness.Harness, leave func() error, err error) {
	return openProductWith(ctx, func(string) (map[string]string, error) { return map[string]string{}, nil })
}

// openProductWith does so with settings, which are asked for when the folder is there.
func openProductWith(ctx context.Context, settings func(dir string) (map[string]string, error)) (product *harness.Harness, leave func() error, err error) {
	dir, err := os.MkdirTemp("", "serein-load-")
	if err != nil {
		return nil, nil, err
	}
	environ, err := settings(dir)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	// Everybody comes from one address here, which would otherwise be asked to slow down.
	environ["LIMIT_SCALE"] = "1000000"
	product, err = harness.Start(ctx, dir, environ)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	leave = func() error { return errors.Join(product.Stop(), os.RemoveAll(dir)) }
	if err := awaitTracks(ctx, product); err != nil {
		return nil, nil, errors.Join(err, leave())
	}
	return product, leave, nil
}

// waits of one request after another: until Generate answers, and until the first segment is here.
type waits struct {
	// narrator is who is asked for; empty for the one of the kind.
	narrator      string
	answer, sound []time.Duration
}

// newMembers makes one for each request, since only the first few of a member's may be cancelled without a price.
func newMembers(ctx context.Context, product *harness.Harness, requests int) (members []*harness.Member, err error) {
	for range requests {
		m, err := product.NewMember(ctx)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

// firstSounds has each member ask for a meditation, one after another, and cancels what it has heard the beginning of, so that
// the machine is idle before the next request. The same member asks for the same each time.
func firstSounds(ctx context.Context, members []*harness.Member) (w waits, err error) {
	for i, m := range members {
		if err := w.add(ctx, m, i); err != nil {
			return w, fmt.Errorf("request %d: %w", i+1, err)
		}
	}
	return w, nil
}

func (w *waits) add(ctx context.Context, m *harness.Member, i int) error {
	id, err := w.hear(ctx, m, i)
	if err != nil {
		return err
	}
	return giveUp(ctx, m, id)
}

// hear asks for the meditation i, which goes on, and waits for its first segment.
func (w *waits) hear(ctx context.Context, m *harness.Member, i int) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	form, err := m.Generator.GetGenerator(ctx, &webv1.GetGeneratorRequest{})
	if err != nil {
		return "", err
	}
	asked := request(form, i)
	asked.NarratorId = w.narrator
	began := time.Now()
	made, err := m.GenerateOnce(ctx, asked)
	if err != nil {
		return "", err
	}
	answered := time.Since(began)
	err = watch(ctx, m, made.GetId(), func(change *webv1.WatchMeditationResponse) (bool, error) {
		if len(change.GetNewSegments()) == 0 {
			return false, nil
		}
		return true, fetch(ctx, m.Browser, change.GetNewSegments()[0].GetAudioUrl())
	})
	if err != nil {
		return "", err
	}
	w.answer, w.sound = append(w.answer, answered), append(w.sound, time.Since(began))
	return made.GetId(), nil
}

// giveUp cancels a meditation and waits until nothing is made of it any more.
func giveUp(ctx context.Context, m *harness.Member, id string) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	if err := m.Cancel(ctx, id); err != nil {
		return fmt.Errorf("cancel: %w", err)
	}
	return awaitIdle(ctx, m)
}

// sentenceTime is how long a sentence that is being spoken may go on after its meditation was cancelled.
const sentenceTime = time.Second

// awaitIdle waits until no credits of the member are held and nothing is spoken any more.
func awaitIdle(ctx context.Context, m *harness.Member) error {
	err := harness.Eventually(ctx, "the credits of a cancelled meditation", func(ctx context.Context) (bool, error) {
		credits, err := m.Credits(ctx)
		return credits.GetHeld() == 0, err
	})
	if err != nil {
		return err
	}
	return pause.For(ctx, sentenceTime)
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
