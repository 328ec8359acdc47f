package config_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
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
	require.ErrorContains(t, err, "WAIT: want a duration such as 90s, 10m or 24h")
}

type typed struct {
	Inner struct {
		Most  int     `env:"MOST" envDefault:"3"`
		Scale float64 `env:"SCALE" envDefault:"1"`
		Live  bool    `env:"LIVE"`
	}
	Every time.Duration `env:"EVERY" envDefault:"1m"`
	Other string        `env:"OTHER_URL"`
	Where string        `env:"PUBLIC_ADDR" envDefault:":80"`
}

func TestAFaultNamesItsVariableAndWhatItShouldBe(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"MOST": "a whole number", "SCALE": "a number", "LIVE": "true or false", "EVERY": "a duration such as 90s, 10m or 24h",
		"OTHER_URL": "an address such as https://serein.example", "PUBLIC_ADDR": "an address to listen at, such as 127.0.0.1:9000 or :9000",
	} {
		_, err := config.Load[typed](map[string]string{name: "nonsense"})
		require.EqualError(t, err, name+": want "+want)
	}
	c, err := config.Load[typed](map[string]string{"MOST": "4", "OTHER_URL": "http://other:9000", "PUBLIC_ADDR": "127.0.0.1:0"})
	require.NoError(t, err)
	require.Equal(t, 4, c.Inner.Most)
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

func TestAnAddressNeverPrintsInALogOrAnError(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, nil))
	log.Info("configured", "url", config.URL("nats://user:hunter2@host"), "key", config.Secret("hunter2"))
	_, _ = fmt.Fprintf(&out, "%s %q %v %x", config.URL("hunter2"), config.Secret("hunter2"), fmt.Errorf("at %v", config.URL("hunter2")), config.Secret("hunter2"))
	require.NotContains(t, out.String(), "hunter2")
	require.NotContains(t, out.String(), fmt.Sprintf("%x", "hunter2"))
	require.Contains(t, out.String(), "redacted")
}

// A secret that can be guessed is as good as none, wherever in the configuration it stands.
func TestASecretIsLongWhereverItStands(t *testing.T) {
	t.Parallel()
	for _, length := range []int{1, config.MinSecret - 1} {
		_, err := config.Load[sample](map[string]string{"KEY": strings.Repeat("k", length), "NAME": "x"})
		require.ErrorContains(t, err, "KEY")
		require.NotContains(t, err.Error(), strings.Repeat("k", length)+" ")
	}
	_, err := config.Load[sample](map[string]string{"KEY": strings.Repeat("k", config.MinSecret), "NAME": "x"})
	require.NoError(t, err)
}

func TestTheEnvironmentIsReadAsTheProcessHasIt(t *testing.T) {
	t.Setenv("SEREIN_TEST_VALUE", "a=b=c")
	require.Equal(t, "a=b=c", config.Environ()["SEREIN_TEST_VALUE"])
}

func TestDefaultsFillWhatIsSetToNothing(t *testing.T) {
	t.Parallel()
	environ := map[string]string{"KEY": long, "NAME": "x", "WAIT": ""}
	c, err := config.Load[sample](environ)
	require.NoError(t, err)
	require.Equal(t, 2*time.Second, c.Wait)
	require.Contains(t, environ, "WAIT", "what was given is not changed")
}
