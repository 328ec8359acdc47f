package entry

// Texts returns a copy of the fields in which change has replaced every text: in Symbols, Texts, lists, RichText and Objects, at
// any depth. It leaves links and the original fields unchanged.
func (f Fields) Texts(change func(string) string) Fields {
	if f == nil {
		return nil
	}
	changed := make(Fields, len(f))
	for id, locales := range f {
		changed[id] = make(map[string]any, len(locales))
		for locale, value := range locales {
			changed[id][locale] = changeTexts(value, change)
		}
	}
	return changed
}

func changeTexts(value any, change func(string) string) any {
	if _, link := LinkOf(value); link {
		return value
	}
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = changeTexts(element, change)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, inner := range v {
			object[name] = changeTexts(inner, change)
		}
		return object
	}
	return value
}
