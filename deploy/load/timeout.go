package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/sound/mp3"
)

// lame is the encoder as the stack finds it.
const lame = "deploy/local/node_modules/wasm-media-encoders/wasm/mp3.wasm"

// wholeTimeouts makes the longest size from the request to ready, and compares the pace with
// what its two engines do with nothing around them.
func wholeTimeouts(ctx context.Context, b *bench, m *harness.Member) ([]Figure, error) {
	var waits []time.Duration
	var audio time.Duration
	before, err := processorTime(os.Getpid())
	if err != nil {
		return nil, err
	}
	for i := range b.timeouts {
		wait, length, err := wholeTimeout(ctx, m, i)
		if err != nil {
			return nil, fmt.Errorf("timeout %d: %w", i+1, err)
		}
		waits, audio = append(waits, wait), audio+length
		b.say("    %s of sound in %s", length.Round(time.Second), wait.Round(10*time.Millisecond))
	}
	after, err := processorTime(os.Getpid())
	if err != nil {
		return nil, err
	}
	figures := []Figure{
		Figure{Name: "Timeout, Generate to ready, worst", Value: seconds(slices.Max(waits))}.below(20),
		{Name: "Timeout, processor time of everything", Value: seconds((after - before) / time.Duration(b.timeouts))},
	}
	var spent time.Duration
	for _, wait := range waits {
		spent += wait
	}
	pace := Quantity{audio.Seconds() / spent.Seconds(), "× real time"}
	encoder, err := encoderPace(ctx, audio/time.Duration(b.timeouts))
	if err != nil {
		return figures, err
	}
	voice, err := voicePace(ctx, b)
	if err != nil {
		return figures, err
	}
	narration := Figure{Name: "Timeout, narrated and encoded", Value: pace}
	figures = append(
		figures, narration.against("voice alone, all cores", voice),
		narration.against("encoder alone, all cores", encoder),
	)
	kept, err := keptTimeout(ctx, b)
	return append(figures, kept...), err
}

// keptTimeout records a Timeout all of whose sentences are kept, in one process with nothing around it.
func keptTimeout(ctx context.Context, b *bench) ([]Figure, error) {
	r, err := goBenchWithDatabase(ctx, "services/generation/internal/spoken", "^BenchmarkTimeout$/^full$", b.during, 1)
	if err != nil {
		return nil, err
	}
	wait, fault := r.get("Timeout/full", "ns/op")
	processor, err := r.get("Timeout/full", "processor-s")
	return []Figure{
		Figure{Name: "Timeout, all sentences kept, recorded", Value: seconds(time.Duration(wait))}.below(4),
		Figure{Name: "Timeout, all sentences kept, processor time", Value: Quantity{processor, "s"}}.below(6),
	}, errors.Join(fault, err)
}

// wholeTimeout gives the time to ready, and the length of the recording.
func wholeTimeout(ctx context.Context, m *harness.Member, i int) (wait, length time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	w := harness.SmallRequest(titles[i%len(titles)])
	w.SizeId = "timeout"
	began := time.Now()
	made, err := m.GenerateOnce(ctx, w)
	if err != nil {
		return 0, 0, err
	}
	length, err = awaitReady(ctx, m, made.GetId())
	return time.Since(began), length, err
}

// awaitReady follows a meditation to its end and gives its length.
func awaitReady(ctx context.Context, m *harness.Member, id string) (length time.Duration, err error) {
	err = watch(ctx, m, id, func(change *webv1.WatchMeditationResponse) (bool, error) {
		switch now := change.GetMeditation(); now.GetStage() {
		case webv1.Stage_STAGE_READY:
			length = time.Duration(now.GetReadyMs()) * time.Millisecond
			return true, nil
		case webv1.Stage_STAGE_FAILED, webv1.Stage_STAGE_CANCELLED:
			return true, errors.New("it failed: " + now.GetFailureMessage())
		default:
			return false, nil
		}
	})
	return length, err
}

// encoderPace encodes as much sound as that, on all cores at once, and does nothing else.
func encoderPace(ctx context.Context, length time.Duration) (float64, error) {
	code, err := os.ReadFile(lame)
	if err != nil {
		return 0, err
	}
	codec, err := mp3.Open(ctx, code, "")
	if err != nil {
		return 0, err
	}
	defer func() { _ = codec.Close(context.WithoutCancel(ctx)) }()
	cores := runtime.GOMAXPROCS(0)
	sound := hum(length / time.Duration(cores))
	faults := make([]error, cores)
	var all sync.WaitGroup
	began := time.Now()
	for i := range cores {
		all.Go(func() { faults[i] = encode(ctx, codec, sound) })
	}
	all.Wait()
	return length.Seconds() / time.Since(began).Seconds(), errors.Join(faults...)
}
