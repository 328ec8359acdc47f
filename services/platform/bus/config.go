package bus

import (
	"cmp"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"serein.app/services/platform/config"
)

// What a stream keeps where nothing else is configured.
const (
	// StreamBytes of one stream on disk.
	StreamBytes = 1 << 30
	streamAge   = 7 * 24 * time.Hour
	// mostAge: what comes later than an inbox remembers would be applied twice.
	mostAge = 30 * 24 * time.Hour
	// deadShare: a service's dead letters may take that part of what its events may.
	deadShare = 16
	// StoredBytes is what a service needs at the broker, its dead letters among it.
	StoredBytes = StreamBytes + StreamBytes/deadShare
	// deadAge is the time that an operator has to look at a dead letter.
	deadAge = 30 * 24 * time.Hour
)

// Config says how a service identifies itself to the broker, and what the stream of the service's events
// keeps. A zero limit means the default.
type Config struct {
	// NKey proves the service to the broker: the seed of a user's nkey, as `nk -gen user` makes it.
	// Empty where the broker knows no keys.
	NKey config.Secret `env:"NATS_NKEY"`
	// StreamBytes is the most that the stream of the service's events may take, in bytes of disk per
	// replica. A full stream drops its oldest events.
	StreamBytes int64 `env:"NATS_STREAM_BYTES" envDefault:"1073741824"`
	// StreamAge is how long an event stays in that stream: the longest that a consumer may be away.
	StreamAge time.Duration `env:"NATS_STREAM_AGE" envDefault:"168h"`
	// StreamReplicas is on how many servers of a cluster the stream is kept: 1, 3 or 5.
	StreamReplicas int `env:"NATS_STREAM_REPLICAS" envDefault:"1"`
}

// Validate finds what cannot work.
func (c Config) Validate() error {
	c = c.orDefaults()
	_, err := c.proof()
	faults := []error{err}
	if c.StreamBytes < 1<<20 {
		faults = append(faults, errors.New("NATS_STREAM_BYTES: a stream needs at least a mebibyte"))
	}
	if c.StreamAge < duplicates {
		faults = append(faults, errors.New("NATS_STREAM_AGE: events stay for at least ten minutes"))
	}
	if c.StreamAge > mostAge {
		faults = append(faults, errors.New("NATS_STREAM_AGE: 30 days at most, since inboxes forget what they have handled"))
	}
	if c.StreamReplicas != 1 && c.StreamReplicas != 3 && c.StreamReplicas != 5 {
		faults = append(faults, errors.New("NATS_STREAM_REPLICAS: 1, 3 or 5"))
	}
	return errors.Join(faults...)
}

func (c Config) orDefaults() Config {
	c.StreamBytes = cmp.Or(c.StreamBytes, StreamBytes)
	c.StreamAge = cmp.Or(c.StreamAge, streamAge)
	c.StreamReplicas = cmp.Or(c.StreamReplicas, 1)
	return c
}

// proof signs what the broker asks with the key; without one there is nothing to sign.
func (c Config) proof() ([]nats.Option, error) {
	if c.NKey == "" {
		return nil, nil
	}
	pair, err := nkeys.FromSeed([]byte(c.NKey.Reveal()))
	if err != nil {
		return nil, errKey
	}
	public, err := pair.PublicKey()
	if err != nil || !nkeys.IsValidPublicUserKey(public) {
		return nil, errKey
	}
	return []nats.Option{nats.Nkey(public, pair.Sign)}, nil
}

var errKey = errors.New("NATS_NKEY is not the seed of a user's nkey")

// stream is the one place that says what a stream is like.
func (c Config) stream(name, subjects string) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: name, Subjects: []string{subjects}, Storage: jetstream.FileStorage, Discard: jetstream.DiscardOld,
		MaxAge: c.StreamAge, MaxBytes: c.StreamBytes, Replicas: c.StreamReplicas, Duplicates: duplicates, AllowAtomicPublish: true,
	}
}

// StreamBytes is what the service's own stream may take.
func (b *Bus) StreamBytes() int64 { return b.cfg.StreamBytes }

func (c Config) deadLetters(service string) jetstream.StreamConfig {
	letters := c.stream(DeadStream(service), deadLettersOf(service))
	letters.MaxAge, letters.MaxBytes = deadAge, c.StreamBytes/deadShare
	return letters
}
