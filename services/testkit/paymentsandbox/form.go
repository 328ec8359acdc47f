package paymentsandbox

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// params is a form as Stripe encodes it: metadata[uid]=… and line_items[0][price]=… are a tree. What is read is noted, so that
// finish can refuse what nobody knows. The first fault that is met is kept for finish.
type params struct {
	name   string // in full, as the form has it
	value  string
	read   bool
	fields map[string]*params
	fault  **apiError
}

func newParams(form url.Values) *params {
	var fault *apiError
	root := &params{fields: map[string]*params{}, fault: &fault}
	for name, values := range form {
		for i, value := range values {
			root.put(name, i, value)
		}
	}
	return root
}

func (p *params) put(name string, index int, value string) {
	head, rest, _ := strings.Cut(name, "[")
	at := p.child(head)
	for rest != "" {
		key, after, closed := strings.Cut(rest, "]")
		if !closed {
			*p.fault = invalid(name, "parameter_unknown", "Received unknown parameter: "+name)
			return
		}
		if key == "" {
			key = strconv.Itoa(index)
		}
		at, rest = at.child(key), strings.TrimPrefix(after, "[")
	}
	at.value = value
}

func (p *params) child(key string) *params {
	if c, ok := p.fields[key]; ok {
		return c
	}
	name := key
	if p.name != "" {
		name = p.name + "[" + key + "]"
	}
	c := &params{name: name, fields: map[string]*params{}, fault: p.fault}
	p.fields[key] = c
	return c
}

func (p *params) refuse(key, code, message string) {
	if *p.fault == nil {
		name := key
		if p.name != "" {
			name = p.name + "[" + key + "]"
		}
		*p.fault = invalid(name, code, message)
	}
}

// has says whether anything was sent by the name.
func (p *params) has(key string) bool { return p.fields[key] != nil }

// text is empty where nothing was sent.
func (p *params) text(key string) string {
	c, ok := p.fields[key]
	if !ok {
		return ""
	}
	c.read = true
	if len(c.fields) > 0 {
		p.refuse(key, "parameter_invalid_string", "Invalid string: "+c.name)
	}
	return c.value
}

// must is a text that has to be there.
func (p *params) must(key string) string {
	value := p.text(key)
	if value == "" {
		p.refuse(key, "parameter_missing", "Missing required param: "+key+".")
	}
	return value
}

// one is a text out of a few, the first where nothing was sent.
func (p *params) one(key string, of ...string) string {
	if !p.has(key) {
		return of[0]
	}
	value := p.text(key)
	if !slices.Contains(of, value) {
		p.refuse(key, "", fmt.Sprintf("Invalid %s: must be one of %s", key, strings.Join(of, ", ")))
	}
	return value
}

// whole is a whole number of at least least, otherwise where nothing was sent.
func (p *params) whole(key string, otherwise, least int64) int64 {
	if !p.has(key) {
		return otherwise
	}
	n, err := strconv.ParseInt(p.text(key), 10, 64)
	if err != nil {
		p.refuse(key, "parameter_invalid_integer", "Invalid integer: "+key)
	} else if n < least {
		p.refuse(key, "parameter_invalid_integer", fmt.Sprintf("This value must be greater than or equal to %d.", least))
	}
	return n
}

func (p *params) flag(key string, otherwise bool) bool {
	if !p.has(key) {
		return otherwise
	}
	return p.one(key, "true", "false") == "true"
}

// part is what is below a name; it is empty where nothing was sent.
func (p *params) part(key string) *params {
	if c, ok := p.fields[key]; ok {
		c.read = true
		return c
	}
	return (&params{name: p.name, fields: map[string]*params{}, fault: p.fault}).child(key)
}

// list is what was sent by a name, in its order.
func (p *params) list(key string) []*params {
	c := p.part(key)
	indices := make([]string, 0, len(c.fields))
	for index := range c.fields {
		if _, err := strconv.Atoi(index); err != nil {
			p.refuse(key, "parameter_invalid_array", "Invalid array: "+key)
		}
		indices = append(indices, index)
	}
	slices.SortFunc(indices, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	items := make([]*params, len(indices))
	for i, index := range indices {
		items[i] = c.fields[index]
		items[i].read = true
	}
	return items
}

func (p *params) texts(key string) []string {
	var found []string
	for _, item := range p.list(key) {
		found = append(found, item.value)
	}
	return found
}

// pairs are names and values that are the caller's own, such as metadata.
func (p *params) pairs(key string) map[string]string {
	found := map[string]string{}
	for name, item := range p.part(key).fields {
		item.read = true
		found[name] = item.value
	}
	return found
}

// finish gives the first fault, or names a parameter that nobody read.
func (p *params) finish() error {
	if *p.fault != nil {
		return *p.fault
	}
	if name := p.unread(); name != "" {
		return invalid(name, "parameter_unknown", "Received unknown parameter: "+name)
	}
	return nil
}

func (p *params) unread() string {
	if p.name != "" && !p.read {
		return p.name
	}
	for _, key := range slices.Sorted(maps.Keys(p.fields)) {
		if name := p.fields[key].unread(); name != "" {
			return name
		}
	}
	return ""
}
