package service

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// ErrUsage is what a program answers when it was called wrongly.
var ErrUsage = errors.New("wrong usage")

// Command is one of a service's own, for operators. It needs no more of the service's configuration
// than it reads itself.
type Command struct {
	// Usage is what follows the command's name, for example "[--note TEXT] USERNAME".
	Usage string
	// Arguments is how many there are behind the flags.
	Arguments int
	// Flags adds the command's own; nil for none.
	Flags func(*flag.FlagSet)
	// Run does it, and says on out in a sentence what it did.
	Run func(ctx context.Context, environ map[string]string, flags *flag.FlagSet, out io.Writer) error
}

func (c Command) do(ctx context.Context, name string, environ map[string]string, args []string) error {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if c.Flags != nil {
		c.Flags(flags)
	}
	usage := strings.TrimSpace(fmt.Sprintf("usage: %s %s", name, c.Usage))
	if err := flags.Parse(args); err != nil && !errors.Is(err, flag.ErrHelp) {
		return usageError{err.Error() + "; " + usage}
	} else if err != nil || flags.NArg() != c.Arguments {
		return usageError{usage}
	}
	return c.Run(ctx, environ, flags, os.Stdout)
}

// usageError says how a program is called.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func (usageError) Is(target error) bool { return target == ErrUsage }
