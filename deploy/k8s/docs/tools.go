package docs

import (
	_ "embed"
	"fmt"
	"maps"
	"strings"
)

//go:embed tools.txt
var toolsText string

// command is a tool of tools.txt, or a command of it.
type command struct {
	// flags say whether each takes a value.
	flags    map[string]bool
	commands map[string]*command
}

func newCommand() *command { return &command{map[string]bool{}, map[string]*command{}} }

// readTools gives all tools as the commands of one.
func readTools(text string) *command {
	root := newCommand()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := root
		for _, word := range strings.Fields(line) {
			if strings.HasPrefix(word, "-") {
				name, takesValue := strings.CutSuffix(word, "=")
				at.flags[name] = takesValue
				continue
			}
			if at.commands[word] == nil {
				at.commands[word] = newCommand()
			}
			at = at.commands[word]
		}
	}
	return root
}

// invocation is how a tool is called.
type invocation struct {
	// path is the tool and its commands.
	path  []string
	flags map[string][]string
	args  []string
	// rest is what stands behind --.
	rest []string
}

func (i invocation) String() string { return strings.Join(i.path, " ") }

// first is the value of the first of these flags; empty without one.
func (i invocation) first(flag string) string {
	if values := i.flags[flag]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// parse finds tool, commands, flags and arguments, and refuses what the table does not have.
func (c *command) parse(words []string) (invocation, error) {
	found, at, known := invocation{flags: map[string][]string{}}, c, map[string]bool{}
	for n := 0; n < len(words); n++ {
		word := words[n]
		switch {
		case word == "--":
			found.rest = words[n+1:]
			return found, nil
		case strings.HasPrefix(word, "-") && word != "-":
			name, value, inline := strings.Cut(word, "=")
			takesValue, ok := known[name]
			if !ok {
				return found, fmt.Errorf("%s has no flag %s", found, name)
			}
			if takesValue && !inline {
				if n++; n == len(words) {
					return found, fmt.Errorf("%s: %s wants a value", found, name)
				}
				value = words[n]
			}
			found.flags[name] = append(found.flags[name], value)
		case len(at.commands) > 0:
			next := at.commands[word]
			if next == nil && at == c {
				return found, fmt.Errorf("%s is not in the table of tools", word)
			}
			if next == nil {
				return found, fmt.Errorf("%s has no command %s", found, word)
			}
			at, found.path = next, append(found.path, word)
			maps.Copy(known, next.flags)
		default:
			found.args = append(found.args, word)
		}
	}
	if len(at.commands) > 0 {
		return found, fmt.Errorf("%s wants a command", found)
	}
	return found, nil
}
