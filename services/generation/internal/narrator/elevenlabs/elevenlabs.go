// Package elevenlabs speaks by ElevenLabs' text-to-speech API. It takes the neighbours of a text.
package elevenlabs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/generation/internal/narrator/wire"
	"serein.app/services/platform/config"
)

// Name is the synthesiser's in a file of narrators.
const Name = "elevenlabs"

// The format that is asked for: 16-bit mono samples at this rate.
const (
	format = "pcm_24000"
	rate   = 24000
)

// The speeds that the API takes; 1 is the voice's own.
const slowest, fastest = 0.7, 1.2

// Config is how the API is reached.
type Config struct {
	// Key is the API key; empty: ElevenLabs is not used.
	Key config.Secret `env:"ELEVENLABS_KEY"`
	// URL is the API's address, without a path.
	URL string `env:"ELEVENLABS_URL" envDefault:"https://api.elevenlabs.io"`
	// Model is the model's name.
	Model string `env:"ELEVENLABS_MODEL" envDefault:"eleven_multilingual_v2"`
	// Neighbours is whether the sentences beside a sentence are sent, so that its tone fits them; false for models that refuse them.
	Neighbours bool `env:"ELEVENLABS_NEIGHBOURS" envDefault:"true"`
	// Calls is how many sentences are spoken at once, for each process of this service. All processes together need no more than the account's plan allows.
	Calls int `env:"ELEVENLABS_CALLS" envDefault:"2"`
	// Price is what a million characters cost, in the currency of SPEECH_BUDGET_DAY; required with a key.
	Price float64 `env:"ELEVENLABS_PRICE" envDefault:"0"`
	// Recipient is who gets the words that are spoken, as members read it on the form; empty for ElevenLabs.
	Recipient string `env:"ELEVENLABS_RECIPIENT"`
}

// On says whether ElevenLabs is used.
func (c Config) On() bool { return c.Key != "" }

// Validate finds what cannot work.
func (c Config) Validate() error {
	if !c.On() {
		return nil
	}
	var faults []error
	if err := config.CheckURL(c.URL); err != nil {
		faults = append(faults, fmt.Errorf("ELEVENLABS_URL: %w", err))
	}
	if c.Model == "" {
		faults = append(faults, errors.New("ELEVENLABS_MODEL: the model's name is missing"))
	}
	if c.Price == 0 {
		faults = append(faults, errors.New("ELEVENLABS_PRICE: what a million characters cost is missing"))
	}
	return errors.Join(faults...)
}

// Vendor is a limits.Vendor.
type Vendor struct {
	cfg  Config
	http *http.Client
}

var _ limits.Vendor = (*Vendor)(nil)

// New reaches nothing yet.
func New(cfg Config) *Vendor {
	cfg.URL = strings.TrimSuffix(cfg.URL, "/")
	return &Vendor{cfg: cfg, http: wire.Client(cfg.Calls)}
}

// voice is a voice's id.
var voice = regexp.MustCompile(`^[A-Za-z0-9]{10,40}$`)

// HasVoice implements limits.Vendor: whether it may be a voice's id.
func (*Vendor) HasVoice(name string) bool { return voice.MatchString(name) }

// Check implements limits.Vendor.
func (*Vendor) Check(u narration.Utterance) error {
	if u.Pitch != 0 || u.PitchRange != 0 || u.Fall != 0 {
		return errors.New("this API takes no pitch")
	}
	if s := speed(u); s < slowest || s > fastest {
		return fmt.Errorf("stretch %v: want %.2f to %.2f", u.Stretch, 1/fastest, 1/slowest)
	}
	return nil
}

func speed(u narration.Utterance) float64 {
	if u.Stretch == 0 {
		return 1
	}
	return 1 / u.Stretch
}

type request struct {
	Text     string         `json:"text"`
	Model    string         `json:"model_id"`
	Before   string         `json:"previous_text,omitempty"`
	After    string         `json:"next_text,omitempty"`
	Settings *voiceSettings `json:"voice_settings,omitempty"`
}

type voiceSettings struct {
	Speed float64 `json:"speed"`
}

func (v *Vendor) request(u narration.Utterance) request {
	r := request{Text: u.Text, Model: v.cfg.Model}
	if v.cfg.Neighbours {
		r.Before, r.After = u.Before, u.After
	}
	if s := speed(u); s != 1 {
		r.Settings = &voiceSettings{Speed: s}
	}
	return r
}

// Say implements limits.Vendor.
func (v *Vendor) Say(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	header := http.Header{"Xi-Api-Key": {v.cfg.Key.Reveal()}}
	sound, err := wire.Post(ctx, v.http, v.cfg.URL+"/v1/text-to-speech/"+u.Voice+"?output_format="+format, header, v.request(u), wire.PCM)
	if err != nil {
		return narration.Speech{}, err
	}
	return limits.PCM(sound, rate)
}

// Recipe implements limits.Vendor. It leaves the neighbours out: a text that is kept is spoken without them.
func (v *Vendor) Recipe(u narration.Utterance) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %q %q %s %v %q", Name, v.cfg.URL, v.cfg.Model, u.Voice, speed(u), u.Text))
}
