// Package columns turns what columns of the database hold into values of Go, and back.
package columns

import (
	"encoding/json"
	"fmt"
	"time"
)

// Value returns what a nullable column holds, or the zero value for NULL. Nullable is its inverse.
func Value[T any](value *T) (v T) {
	if value != nil {
		v = *value
	}
	return v
}

// Nullable is NULL for the zero value.
func Nullable[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// Time returns a nullable time in UTC, the zero time for NULL. NullableTime is its inverse.
func Time(at *time.Time) time.Time { return Value(at).UTC() }

// NullableTime is NULL for the zero time.
func NullableTime(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// List is never nil: columns that hold lists are not null.
func List(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}

// Parse reads a JSON column. The error says what it was that cannot be read.
func Parse(data []byte, into any, what string) error {
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
