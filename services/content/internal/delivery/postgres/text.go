package postgres

import (
	"strings"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// allTexts is what the index of texts holds: every text of every field in every locale.
const allTexts = `jsonb_to_tsvector('simple', p.fields, '["string"]')`

// prefixes is a search for all of the words, each the beginning of one. Words hold letters and digits only.
func prefixes(words []any) string {
	all := make([]string, len(words))
	for i, word := range words {
		text, _ := word.(string)
		all[i] = "'" + text + "':*"
	}
	return strings.Join(all, " & ")
}

// match is the search in one field. The index finds where the words stand at all.
func (s *statement) match(row string, f query.Filter) string {
	search := "to_tsquery('simple', " + s.arg(prefixes(f.Values)) + ")"
	value := s.json(row, f.Target)
	return strings.Replace(allTexts, "p.", row+".", 1) + " @@ " + search + " AND jsonb_to_tsvector('simple', " + value + `, '["string"]') @@ ` + search
}

// json is the target's value, of which the texts are searched.
func (s *statement) json(row string, t query.Target) string {
	value := s.first(t, func(locale string) string {
		return "(" + row + ".fields #> " + s.arg(append([]string{t.Field, locale}, t.Path...)) + "::text[])"
	})
	if t.Type == entry.RichText {
		return "jsonb_path_query_array(" + value + ", '$.**.value ? (@.type() == \"string\")')"
	}
	return value
}

// anyText is the search in all texts of the query's locales that readers are sent: in Symbols, Texts, lists of Symbols, and in the texts
// of a RichText. The index has omitted fields too, so it says only which rows are worth a look.
func (s *statement) anyText(q *query.Query) string {
	words := make([]any, len(q.Words))
	for i, word := range q.Words {
		words[i] = word
	}
	search := "to_tsquery('simple', " + s.arg(prefixes(words)) + ")"
	fields := "(SELECT COALESCE(jsonb_object_agg(f.key, f.value), '{}') FROM jsonb_each(p.fields) f WHERE (" +
		s.arg(q.Sent) + "::jsonb -> COALESCE(p.content_type, '')) ? f.key)"
	var texts []string
	for _, locale := range q.Locales {
		for _, below := range []string{"[*]", ".**.value"} {
			path := `$.*."` + locale + `"` + below + ` ? (@.type() == "string")`
			texts = append(texts, "jsonb_path_query_array(s.fields, "+s.arg(path)+"::text::jsonpath)")
		}
	}
	return allTexts + " @@ " + search + " AND (SELECT jsonb_to_tsvector('simple', " + strings.Join(texts, " || ") + `, '["string"]') @@ ` + search +
		" FROM (SELECT " + fields + " AS fields OFFSET 0) s)"
}
