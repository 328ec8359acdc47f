package telemetry

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"unicode/utf8"
)

const (
	// maxValue bounds one value of a log line, in bytes as they are written: what callers send
	// must not fill a disk.
	maxValue = 1 << 10
	// maxStack bounds the value under StackKey. A stack is this program's own.
	maxStack = 16 << 10
	// cut ends a value that was longer.
	cut = "…"
)

// StackKey is the key under which a panic's stack is logged.
const StackKey = "stack"

// bounded cuts a value to its bound, for slog.HandlerOptions.ReplaceAttr. Numbers, times and truth
// values cannot be long.
func bounded(_ []string, a slog.Attr) slog.Attr {
	limit := maxValue
	if a.Key == StackKey {
		limit = maxStack
	}
	a.Key = clip(a.Key, maxValue)
	if kind := a.Value.Kind(); kind == slog.KindString {
		a.Value = slog.StringValue(clip(a.Value.String(), limit))
	} else if kind == slog.KindAny {
		a.Value = boundedAny(a.Value.Any(), limit)
	}
	return a
}

// boundedAny leaves what is short as it is: JSON keeps its structure.
func boundedAny(v any, limit int) slog.Value {
	raw, err := json.Marshal(v)
	if fault, ok := v.(error); ok {
		if _, ok := v.(json.Marshaler); !ok { // slog's own rule for an error
			return slog.StringValue(clip(fault.Error(), limit))
		}
	}
	if err != nil {
		return slog.StringValue(clip(fmt.Sprintf("!ERROR: %v", err), limit))
	}
	if len(raw) > limit {
		return slog.StringValue(clip(string(raw), limit))
	}
	return slog.AnyValue(v)
}

// clip cuts s where its JSON would be longer than limit bytes.
func clip(s string, limit int) string {
	written := 0
	for i, r := range s {
		if written += jsonLen(r); written > limit {
			return s[:fits(s[:i], limit-len(cut))] + cut
		}
	}
	return s
}

// fits is how many bytes of s are written as at most limit bytes of JSON.
func fits(s string, limit int) int {
	written := 0
	for i, r := range s {
		if written += jsonLen(r); written > limit {
			return i
		}
	}
	return len(s)
}

// jsonLen is how many bytes a character takes in slog's JSON; an invalid byte reads as the
// replacement character and is escaped.
func jsonLen(r rune) int {
	switch {
	case r == '"', r == '\\', r == '\n', r == '\r', r == '\t', r == '\b', r == '\f':
		return 2
	case r < ' ', r == utf8.RuneError, r == '\u2028', r == '\u2029':
		return 6
	}
	return utf8.RuneLen(r)
}
