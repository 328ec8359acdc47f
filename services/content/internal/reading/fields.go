package reading

import "serein.app/services/content/internal/entry"

// fields reads values of one locale. What is missing, or of another type, is empty.
type fields struct {
	all    entry.Fields
	locale string
}

func (f fields) value(field string) any { return f.all[field][f.locale] }

func (f fields) text(field string) string {
	s, _ := f.value(field).(string)
	return s
}

func (f fields) is(field string) bool { return f.value(field) == true }

func (f fields) number(field string) int {
	n, _ := f.value(field).(float64)
	return int(n)
}

func (f fields) link(field string) string {
	l, _ := entry.LinkOf(f.value(field))
	return l.ID
}

func (f fields) links(field string) (ids []string) {
	list, _ := f.value(field).([]any)
	for _, element := range list {
		if l, ok := entry.LinkOf(element); ok {
			ids = append(ids, l.ID)
		}
	}
	return ids
}
