package telemetry_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/telemetry"
)

// speaks is a value that says in its own way what is logged of it.
type speaks string

func (s speaks) LogValue() slog.Value { return slog.GroupValue(slog.String("said", string(s))) }

// Whatever a caller sends: a value takes a kilobyte, and two dozen bytes of key and quotes.
func TestNoValueMakesALongLine(t *testing.T) {
	t.Parallel()
	const allowed = 1024 + 256 // with time, level, message, service and key
	for name, long := range map[string]string{
		"letters":            strings.Repeat("x", 60_000),
		"control characters": strings.Repeat("\x01", 60_000),
		"new lines":          strings.Repeat("\n", 60_000),
		"quotes":             strings.Repeat(`"\`, 60_000),
		"other scripts":      strings.Repeat("静", 60_000),
		"emoji":              strings.Repeat("🌊", 60_000),
		"separators":         strings.Repeat("\u2028", 60_000),
		"no text at all":     strings.Repeat("\xff", 60_000),
	} {
		for kind, log := range map[string]func(*slog.Logger){
			"a string":         func(l *slog.Logger) { l.Info("called", "value", long) },
			"a message":        func(l *slog.Logger) { l.Info(long) }, //nolint:sloglint // what the linter forbids must not hurt either
			"an error":         func(l *slog.Logger) { l.Info("called", "error", errors.New(long)) },
			"an error, quoted": func(l *slog.Logger) { l.Info("called", "error", fmt.Errorf("parameter %q", long)) },
			"bytes":            func(l *slog.Logger) { l.Info("called", "value", []byte(long)) },
			"a list":           func(l *slog.Logger) { l.Info("called", "value", []string{long}) },
			"a struct":         func(l *slog.Logger) { l.Info("called", "value", struct{ A string }{long}) },
			"what no JSON is":  func(l *slog.Logger) { l.Info("called", "value", map[any]any{long: long}) },
			"within a group":   func(l *slog.Logger) { l.WithGroup("g").Info("called", slog.Group("h", "value", long)) },
			"kept":             func(l *slog.Logger) { l.With("value", long).Info("called") },
			"resolved late":    func(l *slog.Logger) { l.Info("called", "value", speaks(long)) },
			"a key":            func(l *slog.Logger) { l.Info("called", long, 1) },
		} {
			tel, out := setup(t, "mail")
			log(tel.Log)
			require.LessOrEqual(t, out.Len(), allowed, "%s as %s", name, kind)
			require.Len(t, lines(t, out), 1, "%s as %s: one line that can be read", name, kind)
		}
	}
}

func TestWhatIsShortIsLoggedAsItIs(t *testing.T) {
	t.Parallel()
	tel, out := setup(t, "mail")
	exact := strings.Repeat("x", 1024)
	tel.Log.Info("called", "exact", exact, "list", []string{"a", "b"}, "error", errors.New("line\nbreak"), "n", 7, "none", nil)
	got := lines(t, out)[0]
	require.Equal(t, exact, got["exact"])
	require.Equal(t, []any{"a", "b"}, got["list"])
	require.Equal(t, "line\nbreak", got["error"], "escaped once")
	require.EqualValues(t, 7, got["n"])
	require.Nil(t, got["none"])
	require.Equal(t, "INFO", got["level"])
}

func TestAStackIsKeptForWhoeverMendsIt(t *testing.T) {
	t.Parallel()
	tel, out := setup(t, "mail")
	stack := strings.Repeat("goroutine 1 [running]: main.main", 300)
	tel.Log.Error("handler panicked", telemetry.StackKey, stack)
	require.Equal(t, stack, lines(t, out)[0]["stack"])
	out.Reset()
	tel.Log.Error("handler panicked", telemetry.StackKey, strings.Repeat(stack, 10))
	require.LessOrEqual(t, out.Len(), 17<<10, "and is bounded too")
}
