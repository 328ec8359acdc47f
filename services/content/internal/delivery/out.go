package delivery

import (
	"encoding/json"
	"strconv"
	"time"
)

// out writes JSON. Commas come by themselves.
type out struct{ b []byte }

func (w *out) comma() {
	if n := len(w.b); n > 0 && w.b[n-1] != '{' && w.b[n-1] != '[' && w.b[n-1] != ':' {
		w.b = append(w.b, ',')
	}
}

func (w *out) open(bracket byte) {
	w.comma()
	w.b = append(w.b, bracket)
}

func (w *out) close(bracket byte) { w.b = append(w.b, bracket) }

// name begins a property.
func (w *out) name(name string) {
	w.text(name)
	w.b = append(w.b, ':')
}

func (w *out) text(s string) {
	w.comma()
	if isPlain(s) {
		w.b = append(append(append(w.b, '"'), s...), '"')
		return
	}
	quoted, _ := json.Marshal(s) // a string always is JSON
	w.b = append(w.b, quoted...)
}

// isPlain says whether a text is JSON in quotation marks as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func (w *out) number(n int) {
	w.comma()
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

// raw writes what is JSON already.
func (w *out) raw(json string) {
	w.comma()
	w.b = append(w.b, json...)
}

// value writes any value.
func (w *out) value(v any) error {
	encoded, err := json.Marshal(v)
	w.comma()
	w.b = append(w.b, encoded...)
	return err
}

// moment writes a time in UTC with milliseconds, as the contract has it.
func (w *out) moment(t time.Time) {
	w.comma()
	w.b = t.UTC().AppendFormat(append(w.b, '"'), "2006-01-02T15:04:05.000Z")
	w.b = append(w.b, '"')
}

// link writes a link object.
func (w *out) link(kind, id string) {
	w.comma()
	w.b = append(w.b, `{"sys":{"type":"Link","linkType":"`...)
	w.b = append(w.b, kind...)
	w.b = append(w.b, `","id":`...)
	w.text(id)
	w.b = append(w.b, '}', '}')
}

// list begins an envelope of many items.
func (w *out) list() {
	w.open('{')
	w.name("sys")
	w.raw(`{"type":"Array"}`)
}
