package generation

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/vendorhttp"
	"serein.app/services/generation/internal/writer"
	"serein.app/services/generation/internal/writer/chat"
	"serein.app/services/generation/internal/writer/messages"
	"serein.app/services/platform/config"
)

// Who writes scripts.
const (
	writerBuiltIn   = "built-in"
	writerOpenAI    = "openai"
	writerAnthropic = "anthropic"
)

// WriterConfig says who writes scripts.
type WriterConfig struct {
	// Writer is who writes scripts: built-in (Serein's own words, in this process), openai (any server that answers as OpenAI's
	// chat completions do) or anthropic. With the latter two titles leave the service; the built-in writer takes over when they fail.
	Writer string `env:"WRITER" envDefault:"built-in"`
	// WriterURL is the writer's address, for openai that before /chat/completions; empty for the vendor's own.
	WriterURL string `env:"WRITER_URL"`
	// WriterKey is the vendor's key. A server of one's own may need none.
	WriterKey config.Secret `env:"WRITER_KEY"`
	// WriterModel is the model's name, as the vendor writes it. It must answer at once: thinking models are too slow for a listener.
	WriterModel string `env:"WRITER_MODEL"`
	// WriterRecipient is who gets the titles, as members read it on the form: "OpenAI (United States)". Empty for the vendor's own
	// address, which is named after the vendor, and for a server of your own inside the cluster or your network.
	WriterRecipient string `env:"WRITER_RECIPIENT"`
	// WriterAtOnce is how many scripts this process has written outside at once; the built-in writer writes what is too many.
	WriterAtOnce int `env:"WRITER_AT_ONCE" envDefault:"8"`
	// WriterFirst is how long a model may take until its answer begins, refusals for want of room included, and to go on where somebody listens.
	WriterFirst time.Duration `env:"WRITER_FIRST" envDefault:"5s"`
	// WriterTime is how long a model may take in all, with the repair of a script; where the script is spoken meanwhile, until its first passage.
	WriterTime time.Duration `env:"WRITER_TIME" envDefault:"45s"`
	// WriterStream has a script narrated while a model is still writing it. Without it the member hears nothing until the whole is written and
	// judged. Switch it on when no process runs any more that is older than it.
	WriterStream bool `env:"WRITER_STREAM" envDefault:"false"`
	// WriterPriceIn is what a million tokens that the model reads cost, in the vendor's currency.
	WriterPriceIn float64 `env:"WRITER_PRICE_IN" envDefault:"0"`
	// WriterPriceOut is what a million tokens that the model writes cost.
	WriterPriceOut float64 `env:"WRITER_PRICE_OUT" envDefault:"0"`
	// WriterBudgetDay is what scripts may cost in a day of UTC in all, in that currency; the built-in writer writes the others.
	WriterBudgetDay float64 `env:"WRITER_BUDGET_DAY" envDefault:"0"`
	// WriterBudgetMember is what they may cost for one member in a day.
	WriterBudgetMember float64 `env:"WRITER_BUDGET_MEMBER" envDefault:"0"`
}

// outside says that scripts are written by a model.
func (c WriterConfig) outside() bool { return c.Writer != writerBuiltIn }

// recipient is who gets titles, as members read it; empty where they do not leave Serein.
func (c WriterConfig) recipient() string {
	own := map[string]string{writerOpenAI: "OpenAI", writerAnthropic: "Anthropic"}
	switch {
	case !c.outside():
		return ""
	case c.WriterURL == "":
		return cmp.Or(c.WriterRecipient, own[c.Writer])
	}
	return c.WriterRecipient
}

// validate finds what cannot work. Prices of 0 are right for a server of one's own only.
func (c WriterConfig) validate() error {
	if !c.outside() {
		return nil
	}
	var faults []error
	want := func(ok bool, fault string) {
		if !ok {
			faults = append(faults, errors.New(fault))
		}
	}
	want(c.Writer == writerOpenAI || c.Writer == writerAnthropic, "WRITER: want built-in, openai or anthropic")
	want(c.WriterModel != "", "WRITER_MODEL: a writer outside needs the name of its model")
	want(c.WriterKey != "" || c.WriterURL != "", "WRITER_KEY: the vendor's own address needs a key")
	want(c.WriterURL == "" || vendorhttp.CheckURL(c.WriterURL) == nil, "WRITER_URL: want an http or https address without a question mark")
	want(c.WriterKey == "" || c.WriterURL == "" || strings.HasPrefix(c.WriterURL, "https:") || vendorhttp.Inside(c.WriterURL),
		"WRITER_URL: a key crosses http only to a host in the cluster or a private network; want https")
	want(c.WriterURL == "" || c.WriterRecipient != "" || vendorhttp.Inside(c.WriterURL),
		"WRITER_RECIPIENT: a writer that is not in the cluster or a private network needs the name by which members know who gets their titles")
	want(c.WriterAtOnce >= 1 && c.WriterAtOnce <= 256, "WRITER_AT_ONCE: want 1 to 256")
	want(c.WriterFirst >= 100*time.Millisecond && c.WriterFirst <= c.WriterTime, "WRITER_FIRST: want 100ms or more, and no more than WRITER_TIME")
	want(c.WriterTime >= time.Second && c.WriterTime <= meditation.Patience/2, fmt.Sprintf("WRITER_TIME: want 1s to %s", meditation.Patience/2))
	want(c.WriterPriceIn >= 0 && c.WriterPriceOut >= 0, "WRITER_PRICE_IN and WRITER_PRICE_OUT: want 0 or more")
	want(c.WriterURL != "" || c.WriterPriceIn > 0 && c.WriterPriceOut > 0, "WRITER_PRICE_IN and WRITER_PRICE_OUT: a vendor has prices, by which the budget is counted")
	free := c.WriterPriceIn == 0 && c.WriterPriceOut == 0
	want(free || c.WriterBudgetMember > 0 && c.WriterBudgetDay >= c.WriterBudgetMember, "WRITER_BUDGET_DAY and WRITER_BUDGET_MEMBER: a model that costs something needs both, the member's no larger than the day's")
	return errors.Join(faults...)
}

// limits of what scripts may cost.
func (c WriterConfig) limits() budget.Limits {
	return budget.Limits{Day: budget.Of(c.WriterBudgetDay), Member: budget.Of(c.WriterBudgetMember)}
}

// model is the client of the writer outside.
func (c WriterConfig) model() writer.Model {
	if c.Writer == writerAnthropic {
		return messages.New(cmp.Or(c.WriterURL, messages.DefaultURL), c.WriterKey.Reveal(), c.WriterModel)
	}
	return chat.New(cmp.Or(c.WriterURL, chat.DefaultURL), c.WriterKey.Reveal(), c.WriterModel)
}

// writerOf is the writer that the settings name; the built-in one is behind every other.
func writerOf(log *slog.Logger, cfg WriterConfig, builtIn meditation.Writer, purse writer.Budget, metrics writer.Metrics) meditation.Writer {
	if !cfg.outside() {
		return builtIn
	}
	return writer.New(writer.Ports{
		Outside: writer.NewOutside(cfg.model(), writer.Limits{AtOnce: cfg.WriterAtOnce, First: cfg.WriterFirst, Whole: cfg.WriterTime}),
		BuiltIn: builtIn, Budget: purse, Metrics: metrics, Log: log, Leaves: cfg.recipient() != "",
		Prices: writer.Prices{In: cfg.WriterPriceIn, Out: cfg.WriterPriceOut}, Streamed: cfg.WriterStream,
	})
}
