// Package openai speaks by servers with OpenAI's speech API, POST /audio/speech: OpenAI's own, and self-hosted ones such as those of Kokoro
// and Piper. The API takes no neighbours of a text.
package openai

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
	"serein.app/services/generation/internal/vendorhttp"
	"serein.app/services/platform/config"
)

// Name is the synthesiser's in a file of narrators.
const Name = "openai"

// rate of samples without a header, which the API fixes.
const rate = 24000

// Formats of an answer.
const (
	pcm = "pcm"
	wav = "wav"
)

// Config is how a server is reached.
type Config struct {
	// URL is the address of a server with OpenAI's speech API, up to its /audio/speech: https://api.openai.com/v1, or a server of your own. Empty: there is none.
	URL string `env:"OPENAI_SPEECH_URL"`
	// Key is the server's API key; empty for a server that asks for none.
	Key config.Secret `env:"OPENAI_SPEECH_KEY"`
	// Model is the model's name.
	Model string `env:"OPENAI_SPEECH_MODEL"`
	// Format is that of the sound: pcm, which is 24,000 samples a second, or wav for servers with other rates.
	Format string `env:"OPENAI_SPEECH_FORMAT" envDefault:"pcm"`
	// Instructions is how the model is to speak, for models that take that.
	Instructions string `env:"OPENAI_SPEECH_INSTRUCTIONS"`
	// Calls is how many sentences the server speaks at once, for each process of this service.
	Calls int `env:"OPENAI_SPEECH_CALLS" envDefault:"4"`
	// Price is what a million characters cost, in the currency of SPEECH_BUDGET_DAY; 0 for a server of your own.
	Price float64 `env:"OPENAI_SPEECH_PRICE" envDefault:"0"`
	// Recipient is who gets the words that are spoken, as members read it on the form: "OpenAI (United States)". Empty only for a
	// server of your own inside the cluster or your network, and for OpenAI's own address, which is called OpenAI.
	Recipient string `env:"OPENAI_SPEECH_RECIPIENT"`
}

// To is who gets the words, as members read it; empty for a server of the operator's.
func (c Config) To() string {
	if c.Recipient == "" && vendorhttp.Host(c.URL) == "api.openai.com" {
		return "OpenAI"
	}
	return c.Recipient
}

// On says whether there is a server.
func (c Config) On() bool { return c.URL != "" }

// Validate finds what cannot work.
func (c Config) Validate() error {
	if !c.On() {
		return nil
	}
	var faults []error
	if err := c.checkURL(); err != nil {
		faults = append(faults, fmt.Errorf("OPENAI_SPEECH_URL: %w", err))
	} else if c.To() == "" && !vendorhttp.Inside(c.URL) {
		faults = append(faults, errors.New("OPENAI_SPEECH_RECIPIENT: a server outside needs the name by which members know who gets their words"))
	}
	if c.Model == "" {
		faults = append(faults, errors.New("OPENAI_SPEECH_MODEL: the model's name is missing"))
	}
	if c.Format != pcm && c.Format != wav {
		faults = append(faults, errors.New("OPENAI_SPEECH_FORMAT: want pcm or wav"))
	}
	return errors.Join(faults...)
}

// checkURL lets a key go to https addresses alone. A server that asks for no key, for example one in the same cluster, may answer to http.
func (c Config) checkURL() error {
	if c.Key != "" {
		return config.CheckURL(c.URL)
	}
	return vendorhttp.CheckURL(c.URL)
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

// voice as servers name theirs; that of a mixture has signs and weights.
var voice = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 _.+()-]{0,99}$`)

// HasVoice implements limits.Vendor. The API lists no voices.
func (*Vendor) HasVoice(name string) bool { return voice.MatchString(name) }

// Check implements limits.Vendor.
func (*Vendor) Check(u narration.Utterance) error {
	if u.Pitch != 0 || u.PitchRange != 0 || u.Fall != 0 {
		return errors.New("this API takes no pitch")
	}
	if s := speed(u); s < 0.25 || s > 4 {
		return fmt.Errorf("stretch %v: want 0.25 to 4", u.Stretch)
	}
	return nil
}

// speed of the voice: 1 is its own.
func speed(u narration.Utterance) float64 {
	if u.Stretch == 0 {
		return 1
	}
	return 1 / u.Stretch
}

type request struct {
	Model        string  `json:"model"`
	Input        string  `json:"input"`
	Voice        string  `json:"voice"`
	Format       string  `json:"response_format"`
	Speed        float64 `json:"speed,omitempty"`
	Instructions string  `json:"instructions,omitempty"`
}

func (v *Vendor) request(u narration.Utterance) request {
	r := request{Model: v.cfg.Model, Input: u.Text, Voice: u.Voice, Format: v.cfg.Format, Instructions: v.cfg.Instructions}
	if s := speed(u); s != 1 {
		r.Speed = s
	}
	return r
}

// Say implements limits.Vendor.
func (v *Vendor) Say(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	header := http.Header{}
	if v.cfg.Key != "" {
		header.Set("Authorization", "Bearer "+v.cfg.Key.Reveal())
	}
	types := wire.PCM
	if v.cfg.Format == wav {
		types = wire.WAV
	}
	sound, err := wire.Post(ctx, v.http, v.cfg.URL+"/audio/speech", header, v.request(u), types)
	switch {
	case err != nil:
		return narration.Speech{}, err
	case v.cfg.Format == wav:
		return limits.WAV(sound)
	}
	return limits.PCM(sound, rate)
}

// Recipe implements limits.Vendor.
func (v *Vendor) Recipe(u narration.Utterance) [sha256.Size]byte {
	r := v.request(u)
	return sha256.Sum256(fmt.Appendf(nil, "%s %q %q %q %q %q %v %q", Name, v.cfg.URL, r.Model, r.Voice, r.Format, r.Instructions, r.Speed, r.Input))
}
