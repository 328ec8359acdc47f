package entry

// walk visits a value of JSON and everything that lies in it, as long as visit says to go further inside. depth is that of the
// value; what lies in it is one deeper.
func walk(value any, depth int, visit func(value any, depth int) (inside bool)) {
	if !visit(value, depth) {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			walk(inner, depth+1, visit)
		}
	case []any:
		for _, inner := range v {
			walk(inner, depth+1, visit)
		}
	}
}
