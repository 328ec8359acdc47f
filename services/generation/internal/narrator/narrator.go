// Package narrator has the narrators who speak by a vendor or by a server of the operator's: their settings, and a synthesiser for each that
// is set up. The packages below it each know one vendor's API.
package narrator

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/narrator/elevenlabs"
	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/generation/internal/narrator/openai"
	"serein.app/services/generation/internal/narrator/polly"
)

// Config has the settings of outside narrators.
type Config struct {
	// File is the path of the YAML file that lists outside narrators; empty: there are none.
	File string `env:"NARRATORS_FILE"`
	// CallTime is how long a vendor may take for a sentence. A second call after a failure has to end within twice that.
	CallTime time.Duration `env:"SPEECH_TIME" envDefault:"8s"`
	// BudgetDay is what outside speech may cost a day (UTC), in the currency of the prices. Required with a price.
	BudgetDay float64 `env:"SPEECH_BUDGET_DAY" envDefault:"0"`
	// BudgetMember is what each member's may cost a day. Required with a price.
	BudgetMember float64 `env:"SPEECH_BUDGET_MEMBER" envDefault:"0"`

	OpenAI     openai.Config
	ElevenLabs elevenlabs.Config
	Polly      polly.Config
}

// vendor is one that may be set up.
type vendor struct {
	on     bool
	prefix string
	limits limits.Config
	open   func() limits.Vendor
}

func (c Config) vendors() []vendor {
	return []vendor{
		{c.OpenAI.On(), "OPENAI_SPEECH", limits.Config{Vendor: openai.Name, Calls: c.OpenAI.Calls, CallTime: c.CallTime, Price: c.OpenAI.Price, Recipient: c.OpenAI.To()}, func() limits.Vendor { return openai.New(c.OpenAI) }},
		{c.ElevenLabs.On(), "ELEVENLABS", limits.Config{Vendor: elevenlabs.Name, Calls: c.ElevenLabs.Calls, CallTime: c.CallTime, Price: c.ElevenLabs.Price, Recipient: cmp.Or(c.ElevenLabs.Recipient, "ElevenLabs")}, func() limits.Vendor { return elevenlabs.New(c.ElevenLabs) }},
		{c.Polly.On(), "POLLY", limits.Config{Vendor: polly.Name, Calls: c.Polly.Calls, CallTime: c.CallTime, Price: c.Polly.Price, Recipient: cmp.Or(c.Polly.Recipient, "Amazon")}, func() limits.Vendor { return polly.New(c.Polly) }},
	}
}

const (
	// mostCalls at once of one vendor.
	mostCalls = 256
	// mostMoney bounds prices and budgets, far below what a sum of millionths holds.
	mostMoney = 1_000_000
)

// Validate finds what cannot work.
func (c Config) Validate() error {
	faults := []error{c.OpenAI.Validate(), c.ElevenLabs.Validate(), c.Polly.Validate()}
	want := func(holds bool, format string, args ...any) {
		if !holds {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	some, paid := false, false
	for _, v := range c.vendors() {
		if !v.on {
			continue
		}
		some, paid = true, paid || v.limits.Price > 0
		want(v.limits.Calls >= 1 && v.limits.Calls <= mostCalls, "%s_CALLS: want 1 to %d", v.prefix, mostCalls)
		want(money(v.limits.Price), "%s_PRICE: want 0 to %d", v.prefix, mostMoney)
	}
	want(c.CallTime >= time.Second && c.CallTime <= time.Minute, "SPEECH_TIME: want 1s to 1m")
	want(some || c.File == "", "NARRATORS_FILE: no vendor is set up that could speak for its narrators")
	want(!some || c.File != "", "NARRATORS_FILE: a vendor is set up, and no file names its narrators")
	want(money(c.BudgetDay) && (!paid || c.BudgetDay > 0), "SPEECH_BUDGET_DAY: want more than 0 where speech has a price, to %d", mostMoney)
	want(money(c.BudgetMember) && (!paid || c.BudgetMember > 0), "SPEECH_BUDGET_MEMBER: want more than 0 where speech has a price, to %d", mostMoney)
	return errors.Join(faults...)
}

// money is false for what is no sum, NaN too.
func money(x float64) bool { return x >= 0 && x <= mostMoney }

// Limits are the day's, of speech.
func (c Config) Limits() budget.Limits {
	return budget.Limits{Day: budget.Of(c.BudgetDay), Member: budget.Of(c.BudgetMember)}
}

// Open makes the synthesisers of the vendors that are set up, by their names, and reads the file that lists the narrators. It reaches no
// vendor yet. Without a file there are none of both.
func (c Config) Open(p limits.Ports) (synthesisers map[string]*limits.Synthesiser, file []byte, err error) {
	if c.File == "" {
		return nil, nil, nil
	}
	if file, err = os.ReadFile(c.File); err != nil {
		return nil, nil, fmt.Errorf("NARRATORS_FILE: %w", err)
	}
	synthesisers = map[string]*limits.Synthesiser{}
	for _, v := range c.vendors() {
		if v.on {
			synthesisers[v.limits.Vendor] = limits.New(v.open(), v.limits, p)
		}
	}
	return synthesisers, file, nil
}
