package config_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/config"
)

type nested struct {
	Key config.Secret `env:"KEY,required"`
}

type sample struct {
	nested
	Nested nested
	Name   string        `env:"NAME,required"`
	URL    config.URL    `env:"URL"`
	Wait   time.Duration `env:"WAIT" envDefault:"2s"`
}

func (s *sample) Validate() error {
	if s.Name == "bad" {
		return errors.New("NAME: bad is refused")
	}
	return nil
}

const long = "0123456789abcdef0123456789abcdef"

func TestEveryFaultIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := config.Load[sample](map[string]string{"KEY": "short", "WAIT": "soon"})
	require.ErrorContains(t, err, "KEY: a secret needs at least 32 characters")
	require.ErrorContains(t, err, "NAME")
	require.ErrorContains(t, err, "Wait")
}

func TestAnEmptySecretCountsAsMissing(t *testing.T) {
	t.Parallel()
	_, err := config.Load[sample](map[string]string{"KEY": "", "NAME": "x"})
	require.ErrorContains(t, err, "KEY")
}

func TestValidateIsAsked(t *testing.T) {
	t.Parallel()
	_, err := config.Load[sample](map[string]string{"KEY": long, "NAME": "bad"})
	require.ErrorContains(t, err, "bad is refused")
}

func TestSecretsNeverPrint(t *testing.T) {
	t.Parallel()
	c, err := config.Load[sample](map[string]string{"KEY": long, "NAME": "x", "URL": "postgres://u:" + long + "@h/d"})
	require.NoError(t, err)
	require.Equal(t, long, c.Nested.Key.Reveal())
	require.Equal(t, 2*time.Second, c.Wait)
	asJSON, err := json.Marshal(c)
	require.NoError(t, err)
	for _, printed := range []string{fmt.Sprintf("%v", c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), string(asJSON)} {
		require.NotContains(t, printed, long)
	}
}
