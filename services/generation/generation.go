// Package generation is the generation service: bespoke meditations, written, narrated and kept
// for one member.
package generation

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narrator"
	store "serein.app/services/generation/internal/postgres"
	handlers "serein.app/services/generation/internal/rpc"
	"serein.app/services/platform/config"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "generation"

// Config of the service, from the environment.
type Config struct {
	service.Config
	// BillingURL is the address of the billing service.
	BillingURL string `env:"BILLING_URL,required"`
	// ContentURL is the address of the content service.
	ContentURL string `env:"CONTENT_URL,required"`
	// BlobURL is where recordings are kept: file:///folder, or
	// s3://KEY:SECRET@host:9000/bucket?tls=true&region=eu-north-1.
	BlobURL config.URL `env:"BLOB_URL,required"`
	// FliteWasm is the path of the speech synthesiser's WebAssembly module.
	FliteWasm string `env:"FLITE_WASM,required"`
	// LameWasm is the path of the MP3 encoder's WebAssembly module.
	LameWasm string `env:"LAME_WASM,required"`
	// WasmCacheDir is the folder that keeps the compiled modules, so that only the first start compiles them.
	WasmCacheDir string `env:"WASM_CACHE_DIR,required"`
	// Role is the part of the service that this process takes: all of it, requests (the RPCs and recordings
	// that others ask for), or narration (the making of meditations and narrations). A deployment needs both.
	Role Role `env:"GENERATION_ROLE" envDefault:"all"`
	// RecorderWorkers is how many segments are recorded at once, shared by up to four meditations each; 0
	// means one a processor.
	RecorderWorkers int `env:"RECORDER_WORKERS" envDefault:"0"`
	// NarrationSpeed is how many seconds of sound a narration gives a second at most, after its first sentence; 0
	// sets no limit. On a machine that other work shares it leaves the processors to that.
	NarrationSpeed float64 `env:"NARRATION_SPEED" envDefault:"0"`
	// SpokenBytes is how many bytes of spoken sentences the blob store keeps, so that they are not synthesised again, without
	// those of the last minute. 0 keeps none, and removes what is there.
	SpokenBytes int64 `env:"SPOKEN_BYTES" envDefault:"2147483648"`
	// Lease is how long this process may be silent before others take its work.
	Lease time.Duration `env:"WORK_LEASE" envDefault:"6s"`

	WriterConfig

	Outside narrator.Config
}

// Validate finds what cannot work.
func (c Config) Validate() error {
	faults := []error{c.Config.Validate(), c.Role.validate(), c.WriterConfig.validate(), c.Outside.Validate()}
	if c.RecorderWorkers < 0 || c.RecorderWorkers > 256 {
		faults = append(faults, errors.New("RECORDER_WORKERS: want 0 to 256"))
	}
	if c.NarrationSpeed != 0 && (c.NarrationSpeed < 1 || c.NarrationSpeed > 1000) {
		faults = append(faults, errors.New("NARRATION_SPEED: want 0 or 1 to 1000"))
	}
	if c.SpokenBytes < 0 {
		faults = append(faults, errors.New("SPOKEN_BYTES: want 0 or more"))
	}
	if c.Lease < time.Second || c.Lease > meditation.HoldTime {
		faults = append(faults, errors.New("WORK_LEASE: want 1s to 30m"))
	}
	return errors.Join(faults...)
}

// meditationsPerWorker is how many meditations share each worker of the recorder. Recording is some twenty times faster
// than listening, so it is better that several members hear their first sentence at once than
// that one member has the whole recording before the next one's begins.
const meditationsPerWorker = 4

// worker describes this process to the others. Its name is the host and the listener's address. Two processes cannot listen
// on one address, so an older run with the same name must have ended. Without a fixed port a process has no name.
func (c Config) worker() meditation.Worker {
	w := meditation.Worker{ID: uuid.New(), Recorders: c.recorderWorkers(), Lease: c.Lease}
	host, err := os.Hostname()
	if err == nil && !strings.HasSuffix(c.Server.Addr, ":0") {
		w.Name = host + " " + c.Server.Addr
	}
	return w
}

// processors that this process was given.
var processors = runtime.GOMAXPROCS(0)

// recorderWorkers is the number of segments recorded at once.
func (c Config) recorderWorkers() int {
	if c.RecorderWorkers == 0 {
		return processors
	}
	return c.RecorderWorkers
}

// raiseGOMAXPROCS lets the process run more threads than it has processors. The Go runtime cannot interrupt the
// synthesiser's compiled code: with a recorder on every processor, all other goroutines waited for the end of a
// sentence (a timer was 27 ms late in the median and 780 ms in the worst of a hundred cases on 2 processors; with
// twice the threads, which the kernel schedules, 0.1 and 7 ms).
func raiseGOMAXPROCS(recorders int) { runtime.GOMAXPROCS(processors + recorders) }

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{Name: Name, Run: Run, Migrate: Migrate, Retention: store.Retention(), Consumes: []proto.Message{new(eventsv1.DeletionScheduled), new(eventsv1.UserDeleted)}}
}

// Run serves until ctx ends. Work under way is given back then, and goes on at the next start.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.Config, handlers.Policy(), func(ctx context.Context, s *service.Service) error {
		made, err := openRecorder(ctx, cfg)
		if err != nil {
			return err
		}
		s.Defer(made.close)
		return build(s, cfg, made)
	})
}
