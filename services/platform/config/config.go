// Package config loads one typed struct per service from the environment and reports every
// fault at once. It owns the rule that a secret is never short and never printed.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"reflect"
	"strings"

	"github.com/caarlos0/env/v11"

	"serein.app/services/platform/deadline"
)

// MinSecret is the shortest secret accepted, in characters: 32 random characters hold at
// least 128 bits even in hex (NIST SP 800-131A asks for 112).
const MinSecret = 32

// Secret is a string that does not print itself. Load refuses one that is set but shorter
// than MinSecret.
type Secret string

const redacted = "[redacted]"

// Reveal gives the secret itself, for the one call that needs it.
func (s Secret) Reveal() string { return string(s) }

// String hides the secret in fmt's verbs.
func (Secret) String() string { return redacted }

// GoString hides the secret in %#v.
func (Secret) GoString() string { return redacted }

// MarshalText hides the secret in JSON and other encodings.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue hides the secret in slog.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// UnmarshalText takes the secret from its text form.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = Secret(text)
	return nil
}

// URL is an address that may hold a password, so it does not print itself either.
// It has no minimum length.
type URL string

// Reveal gives the address itself.
func (u URL) Reveal() string { return string(u) }

// String hides the address in fmt's verbs.
func (URL) String() string { return redacted }

// GoString hides the address in %#v.
func (URL) GoString() string { return redacted }

// LogValue hides the address in slog.
func (URL) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText hides the address in JSON and other encodings.
func (URL) MarshalText() ([]byte, error) { return []byte(redacted), nil }

type validator interface{ Validate() error }

// Load fills a T from `env:"NAME,required"` and `envDefault:"…"` tags
// (github.com/caarlos0/env/v11) and checks it: required names, types, addresses (_URL and _ADDR),
// secrets that are long enough, then T.Validate if there is one. All faults come in one joined
// error, each with the variable's name. A name that is set to nothing counts as not set.
func Load[T any](environ map[string]string) (T, error) {
	set := maps.Clone(environ)
	maps.DeleteFunc(set, func(_, value string) bool { return value == "" })
	var c T
	faults := []error{deadline.Err()}
	if err := env.ParseWithOptions(&c, env.Options{Environment: set}); err != nil {
		faults = append(faults, unread(reflect.TypeFor[T](), set, err)...)
	}
	faults = append(faults, malformed(reflect.ValueOf(c))...)
	faults = append(faults, shortSecrets(reflect.ValueOf(c), "")...)
	if v, ok := any(&c).(validator); ok {
		faults = append(faults, v.Validate())
	}
	return c, errors.Join(faults...)
}

// Environ is the process's environment in Load's form.
func Environ() map[string]string { return env.ToMap(os.Environ()) }

func shortSecrets(v reflect.Value, name string) []error {
	if s, ok := v.Interface().(Secret); ok {
		if s != "" && len(s) < MinSecret {
			return []error{fmt.Errorf("%s: a secret needs at least %d characters", name, MinSecret)}
		}
		return nil
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	var faults []error
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.IsExported() {
			key, _, _ := strings.Cut(field.Tag.Get("env"), ",")
			faults = append(faults, shortSecrets(v.Field(i), key)...)
		}
	}
	return faults
}
