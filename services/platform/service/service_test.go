package service

import (
	"context"
	"errors"
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

type settings struct {
	Greeting string `env:"GREETING,required"`
}

// program says what it was asked to do.
func program(did *[]string) Program[settings] {
	return Program[settings]{
		Name:    "greeter",
		Run:     func(_ context.Context, cfg settings) error { *did = append(*did, "serve "+cfg.Greeting); return nil },
		Migrate: func(_ context.Context, url string) error { *did = append(*did, "migrate "+url); return nil },
		Commands: map[string]Command{"greet": {
			Usage: "[--loud] NAME", Arguments: 1,
			Flags: func(f *flag.FlagSet) { f.Bool("loud", false, "") },
			Run: func(_ context.Context, environ map[string]string, f *flag.FlagSet, _ io.Writer) error {
				*did = append(*did, environ["GREETING"]+" "+f.Arg(0)+" "+f.Lookup("loud").Value.String())
				return nil
			},
		}},
	}
}

func TestAProgramServesMigratesAndRunsItsOwnCommands(t *testing.T) {
	t.Parallel()
	var did []string
	p := program(&did)
	environ := map[string]string{"GREETING": "hello", "MIGRATE_DATABASE_URL": "postgres://owner@localhost"}
	for _, args := range [][]string{nil, {"migrate"}, {"greet", "ada"}, {"greet", "--loud", "ada"}} {
		require.NoError(t, p.Do(t.Context(), environ, args))
	}
	require.Equal(t, []string{"serve hello", "migrate postgres://owner@localhost", "hello ada false", "hello ada true"}, did)
}

func TestWhatAProgramDoesNotKnowIsAnsweredWithWhatItDoes(t *testing.T) {
	t.Parallel()
	var did []string
	p := program(&did)
	for usage, calls := range map[string][][]string{
		"usage: greeter [migrate | replay DURATION | greet [--loud] NAME]": {{"sing"}, {"migrate", "now"}, {"replay"}, {"--loud"}},
		"usage: greeter greet [--loud] NAME":                               {{"greet"}, {"greet", "ada", "grace"}, {"greet", "--help"}, {"greet", "-h", "ada"}},
	} {
		for _, args := range calls {
			err := p.Do(t.Context(), map[string]string{"GREETING": "hello"}, args)
			require.EqualError(t, err, usage, "%v", args)
			require.ErrorIs(t, err, ErrUsage)
		}
	}
	err := p.Do(t.Context(), nil, []string{"greet", "--quiet", "ada"})
	require.ErrorIs(t, err, ErrUsage)
	require.EqualError(t, err, "flag provided but not defined: -quiet; usage: greeter greet [--loud] NAME")
	require.Empty(t, did)
}

func TestAServiceWithoutItsConfigurationDoesNothing(t *testing.T) {
	t.Parallel()
	var did []string
	p := program(&did)
	require.ErrorContains(t, p.Do(t.Context(), nil, nil), "GREETING")
	require.ErrorContains(t, p.Do(t.Context(), nil, []string{"migrate"}), "MIGRATE_DATABASE_URL")
	require.Empty(t, did)
	failing := Program[settings]{Name: "greeter", Run: func(context.Context, settings) error { return errors.New("hoarse") }}
	require.NotErrorIs(t, failing.Do(t.Context(), map[string]string{"GREETING": "hello"}, nil), ErrUsage)
	require.ErrorContains(t, failing.Do(t.Context(), map[string]string{"GREETING": "hello"}, nil), "hoarse")
}
