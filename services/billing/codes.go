package billing

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/stripe"
	"serein.app/services/platform/config"
	"serein.app/services/platform/money"
	"serein.app/services/platform/service"
)

// codeConfig is what the commands about promotion codes need: they are the provider's alone.
type codeConfig struct {
	Stripe StripeConfig
}

// Validate finds what cannot work.
func (c codeConfig) Validate() error { return c.Stripe.Validate() }

var codeText = regexp.MustCompile(`^[A-Z0-9]{3,40}$`)

// errCode says what a code may be.
var errCode = errors.New("a code has 3 to 40 capital letters and digits")

// codesCommand lists the promotion codes that are taken.
func codesCommand() service.Command {
	return service.Command{Run: func(ctx context.Context, environ map[string]string, _ *flag.FlagSet, out io.Writer) error {
		return withProvider(environ, func(provider *stripe.Provider) error { return printCodes(ctx, provider, out) })
	}}
}

func printCodes(ctx context.Context, provider *stripe.Provider, out io.Writer) error {
	codes, err := provider.Codes(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "CODE\tOFF\tFOR\tEACH\tUSED\tUNTIL") // Flush tells what went wrong
	for _, c := range codes {
		used, until := strconv.FormatInt(c.Used, 10), "it is ended"
		if c.Most > 0 {
			used = fmt.Sprintf("%d of %d", c.Used, c.Most)
		}
		if !c.Until.IsZero() {
			until = c.Until.Format(time.RFC3339)
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", c.Text, off(c), length(c), each(c), used, until)
	}
	return table.Flush()
}

// off is how much less one pays.
func off(c stripe.Code) string {
	if c.Percent > 0 {
		return fmt.Sprintf("%g%%", c.Percent)
	}
	return money.Format(c.Amount, c.Currency)
}

// length is which payments of a membership cost less.
func length(c stripe.Code) string {
	if c.Months > 0 {
		return fmt.Sprintf("%d months", c.Months)
	}
	return "the first payment"
}

// each is how often one member may use it.
func each(c stripe.Code) string {
	switch {
	case c.FirstOrder:
		return "first order"
	case c.PerMember == 1:
		return "once"
	case c.PerMember > 1:
		return fmt.Sprintf("%d times", c.PerMember)
	}
	return "any"
}

// newCode are the flags of addCodeCommand.
type newCode struct {
	stripe.Code
	until string
}

// addCodeCommand makes a promotion code.
func addCodeCommand() service.Command {
	var asked newCode
	return service.Command{
		Usage: "[--percent N | --amount MINOR-UNITS] [--months N] [--most N] [--per-member N] [--first-order] --until YYYY-MM-DD CODE", Arguments: 1,
		Flags: asked.flags,
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			code, err := asked.code(f.Arg(0), time.Now())
			if err != nil {
				return err
			}
			return withProvider(environ, func(provider *stripe.Provider) error {
				err := provider.CreateCode(ctx, "code:"+uuid.NewString(), code)
				if errors.Is(err, stripe.ErrCodeTaken) {
					return fmt.Errorf("%s is taken already; `billing codes` lists them", code.Text)
				}
				if err != nil {
					return fmt.Errorf("%s was not made (a day more than five years ahead is refused): %w", code.Text, err)
				}
				_, err = fmt.Fprintf(out, "%s takes %s off %s.\n", code.Text, off(code), length(code))
				return err
			})
		},
	}
}

func (n *newCode) flags(f *flag.FlagSet) {
	f.Float64Var(&n.Percent, "percent", 0, "off the goods, up to 100")
	f.Int64Var(&n.Amount, "amount", 0, "off the goods, in minor units")
	f.StringVar(&n.Currency, "currency", "gbp", "of the amount")
	f.Int64Var(&n.Months, "months", 0, "that a membership costs less; 0: its first payment")
	f.Int64Var(&n.Most, "most", 0, "times that it is taken")
	f.Int64Var(&n.PerMember, "per-member", 1, "times that one member may use it; 0: as often as they like")
	f.BoolVar(&n.FirstOrder, "first-order", false, "only a member who has paid nothing yet may use it")
	f.StringVar(&n.until, "until", "", "the last day, in UTC, at most five years ahead")
}

// code is what the flags ask for.
func (n *newCode) code(text string, now time.Time) (stripe.Code, error) {
	code := n.Code
	code.Text = text
	if !codeText.MatchString(text) {
		return code, errCode
	}
	if (code.Percent == 0) == (code.Amount == 0) || code.Percent < 0 || code.Percent > 100 || code.Amount < 0 {
		return code, errors.New("a code takes either a percentage off, above 0 and up to 100, or an amount")
	}
	if code.Months < 0 || code.Most < 0 || code.PerMember < 0 {
		return code, errors.New("months and times are 0 or more")
	}
	if code.Amount == 0 {
		code.Currency = ""
	}
	if n.until == "" {
		return code, errors.New("a code needs a last day, as --until 2027-03-31: while it is taken, a member who has used it up can type no other")
	}
	last, err := time.Parse(time.DateOnly, n.until)
	if err != nil || !last.AddDate(0, 0, 1).After(now) {
		return code, fmt.Errorf("%q is not a day to come, as 2027-03-31", n.until)
	}
	code.Until = last.AddDate(0, 0, 1)
	return code, nil
}

// endCodeCommand has a promotion code be taken no more. Checkouts that have it applied keep it.
func endCodeCommand() service.Command {
	return service.Command{
		Usage: "CODE", Arguments: 1,
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			text := f.Arg(0)
			if !codeText.MatchString(text) {
				return errCode
			}
			return withProvider(environ, func(provider *stripe.Provider) error {
				err := provider.EndCode(ctx, "end-code:"+uuid.NewString(), text)
				if errors.Is(err, sales.ErrNotFound) {
					return fmt.Errorf("no code %s is taken; `billing codes` lists them", text)
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(out, "%s is taken no more.\n", text)
				return err
			})
		},
	}
}

func withProvider(environ map[string]string, do func(*stripe.Provider) error) error {
	cfg, err := config.Load[codeConfig](environ)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	provider, err := stripe.New(cfg.Stripe.provider())
	if err != nil {
		return err
	}
	return do(provider)
}
