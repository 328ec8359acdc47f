// Package polly speaks by Amazon Polly. The API takes no neighbours of a text.
package polly

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/polly"
	"github.com/aws/aws-sdk-go-v2/service/polly/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/generation/internal/narrator/wire"
	"serein.app/services/generation/internal/vendorhttp"
	"serein.app/services/platform/config"
)

// Name is the synthesiser's in a file of narrators.
const Name = "polly"

// rate of samples, the highest that the API gives without a codec.
const rate = 16000

// The shares of the voice's own speed that SSML takes.
const slowest, fastest = 0.2, 2.0

// Config is how Polly is reached.
type Config struct {
	// KeyID is the id of an access key with the permission polly:SynthesizeSpeech; empty: Polly is not used.
	KeyID string `env:"POLLY_KEY_ID"`
	// KeySecret is that access key's secret.
	KeySecret config.Secret `env:"POLLY_KEY_SECRET"`
	// Region is the AWS region.
	Region string `env:"POLLY_REGION" envDefault:"eu-west-2"`
	// Endpoint is an address in place of the region's own.
	Endpoint string `env:"POLLY_ENDPOINT"`
	// Engine is standard, neural, long-form or generative: one that the narrators' voices have.
	Engine string `env:"POLLY_ENGINE" envDefault:"neural"`
	// Calls is how many sentences are spoken at once, for each process of this service.
	Calls int `env:"POLLY_CALLS" envDefault:"4"`
	// Price is what a million characters cost, in the currency of SPEECH_BUDGET_DAY; required with a key.
	Price float64 `env:"POLLY_PRICE" envDefault:"0"`
	// Recipient is who gets the words that are spoken, as members read it on the form; empty for Amazon.
	Recipient string `env:"POLLY_RECIPIENT"`
}

// On says whether Polly is used.
func (c Config) On() bool { return c.KeyID != "" || c.KeySecret != "" }

// Validate finds what cannot work.
func (c Config) Validate() error {
	if !c.On() {
		return nil
	}
	var faults []error
	if c.KeyID == "" || c.KeySecret == "" {
		faults = append(faults, errors.New("POLLY_KEY_ID and POLLY_KEY_SECRET: want both"))
	}
	if c.Region == "" {
		faults = append(faults, errors.New("POLLY_REGION: the region is missing"))
	}
	if !slices.Contains(types.Engine("").Values(), types.Engine(c.Engine)) {
		faults = append(faults, fmt.Errorf("POLLY_ENGINE: want one of %v", types.Engine("").Values()))
	}
	if c.Endpoint != "" {
		if err := config.CheckURL(c.Endpoint); err != nil {
			faults = append(faults, fmt.Errorf("POLLY_ENDPOINT: %w", err))
		}
	}
	if c.Price == 0 {
		faults = append(faults, errors.New("POLLY_PRICE: what a million characters cost is missing"))
	}
	return errors.Join(faults...)
}

// Vendor is a limits.Vendor.
type Vendor struct {
	cfg    Config
	client *polly.Client
}

var _ limits.Vendor = (*Vendor)(nil)

// New reaches nothing yet.
func New(cfg Config) *Vendor {
	options := polly.Options{
		Region: cfg.Region, HTTPClient: whole{wire.Client(cfg.Calls)}, Retryer: aws.NopRetryer{},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: cfg.KeyID, SecretAccessKey: cfg.KeySecret.Reveal()}, nil
		}),
	}
	if cfg.Endpoint != "" {
		options.BaseEndpoint = &cfg.Endpoint
	}
	return &Vendor{cfg: cfg, client: polly.New(options)}
}

// whole sends bodies that nobody closes early. The SDK closes a request's body as soon as the answer begins, and net/http may read its end after
// that: it takes the error for a broken connection and drops the answer.
type whole struct{ client *http.Client }

// Do implements polly.HTTPClient.
func (w whole) Do(r *http.Request) (*http.Response, error) {
	sent := r.Clone(r.Context())
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		sent.Body = io.NopCloser(bytes.NewReader(body))
	}
	return w.client.Do(sent) //nolint:gosec // to the API's address, which is the operator's
}

// HasVoice implements limits.Vendor: whether the API knows it, with one engine or another.
func (*Vendor) HasVoice(name string) bool {
	return slices.Contains(types.VoiceId("").Values(), types.VoiceId(name))
}

// Check implements limits.Vendor.
func (*Vendor) Check(u narration.Utterance) error {
	if u.Pitch != 0 || u.PitchRange != 0 || u.Fall != 0 {
		return errors.New("this API takes no pitch with every engine")
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

func (v *Vendor) input(u narration.Utterance) (*polly.SynthesizeSpeechInput, error) {
	in := &polly.SynthesizeSpeechInput{
		Engine: types.Engine(v.cfg.Engine), OutputFormat: types.OutputFormatPcm, SampleRate: aws.String(strconv.Itoa(rate)),
		VoiceId: types.VoiceId(u.Voice), Text: &u.Text, TextType: types.TextTypeText,
	}
	if s := speed(u); s != 1 {
		var text strings.Builder
		if err := xml.EscapeText(&text, []byte(u.Text)); err != nil {
			return nil, err
		}
		in.Text = aws.String(fmt.Sprintf(`<speak><prosody rate="%.0f%%">%s</prosody></speak>`, 100*s, text.String()))
		in.TextType = types.TextTypeSsml
	}
	return in, nil
}

// Say implements limits.Vendor.
func (v *Vendor) Say(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	in, err := v.input(u)
	if err != nil {
		return narration.Speech{}, err
	}
	out, err := v.client.SynthesizeSpeech(ctx, in)
	if err != nil {
		return narration.Speech{}, failure(err)
	}
	defer func() { _ = out.AudioStream.Close() }()
	if err := wire.Type(aws.ToString(out.ContentType), wire.PCM[:1]); err != nil {
		return narration.Speech{}, err
	}
	sound, err := wire.Read(out.AudioStream)
	if err != nil {
		return narration.Speech{}, err
	}
	return limits.PCM(sound, rate)
}

// failure is the error of a call without its address and its text. AWS gives each refusal a code, and throttles with a status that others have.
func failure(err error) error {
	res, answered := errors.AsType[*smithyhttp.ResponseError](err)
	if !answered || res.HTTPStatusCode() == 0 { // the SDK makes such an answer of a dropped connection
		return limits.Break("no answer: %w", wire.Bare(err))
	}
	code, after := res.HTTPStatusCode(), vendorhttp.RetryAfter(res.Response.Header)
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return limits.Status(code, after, nil)
	}
	if _, throttled := retry.DefaultThrottleErrorCodes[api.ErrorCode()]; throttled {
		code = http.StatusTooManyRequests
	}
	return limits.Status(code, after, errors.New(api.ErrorCode()))
}

// Recipe implements limits.Vendor.
func (v *Vendor) Recipe(u narration.Utterance) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %q %q %s %v %q", Name, v.cfg.Endpoint, v.cfg.Engine, u.Voice, speed(u), u.Text))
}
