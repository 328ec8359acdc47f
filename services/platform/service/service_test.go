package service

import (
	"context"
	"errors"
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
		Commands: map[string]Command[settings]{"greet": {
			Arguments: []string{"NAME"},
			Run: func(_ context.Context, cfg settings, args []string) error {
				*did = append(*did, cfg.Greeting+" "+args[0])
				return nil
			},
		}},
	}
}

func TestAProgramServesMigratesAndRunsItsOwnCommands(t *testing.T) {
	t.Parallel()
	var did []string
	p := program(&did)
	environ := map[string]string{"GREETING": "hello", "MIGRATE_DATABASE_URL": "postgres://owner"}
	for _, args := range [][]string{nil, {"migrate"}, {"greet", "ada"}} {
		require.NoError(t, p.Do(t.Context(), environ, args))
	}
	require.Equal(t, []string{"serve hello", "migrate postgres://owner", "hello ada"}, did)
}

func TestWhatAProgramDoesNotKnowIsAnsweredWithWhatItDoes(t *testing.T) {
	t.Parallel()
	var did []string
	p := program(&did)
	for _, args := range [][]string{{"sing"}, {"greet"}, {"greet", "ada", "grace"}, {"migrate", "now"}, {"replay"}} {
		require.EqualError(t, p.Do(t.Context(), map[string]string{"GREETING": "hello"}, args),
			"usage: greeter [migrate | replay DURATION | greet NAME]")
	}
	require.Empty(t, did)
}

func TestACommandWithoutItsConfigurationDoesNothing(t *testing.T) {
	t.Parallel()
	var did []string
	p := program(&did)
	require.ErrorContains(t, p.Do(t.Context(), nil, []string{"greet", "ada"}), "GREETING")
	require.ErrorContains(t, p.Do(t.Context(), nil, []string{"migrate"}), "MIGRATE_DATABASE_URL")
	require.Empty(t, did)
	failing := Program[settings]{Name: "greeter", Run: func(context.Context, settings) error { return errors.New("hoarse") }}
	require.ErrorContains(t, failing.Do(t.Context(), map[string]string{"GREETING": "hello"}, nil), "hoarse")
}
