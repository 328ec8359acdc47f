package entry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
)

var locales = entry.Locales{{Code: "en-GB", Default: true}, {Code: "cy", Fallback: "en-GB"}}

func bounds(low, high float64) *entry.Bounds { return &entry.Bounds{Min: &low, Max: &high} }

// everything is a content type with a field of each type and each rule.
var everything = entry.ContentType{ID: "thing", Name: "Thing", DisplayField: "title", Fields: []entry.Field{
	{ID: "title", Name: "Title", Type: entry.Symbol, Localized: true, Required: true},
	{ID: "slug", Name: "Slug", Type: entry.Symbol, Validations: []entry.Validation{{Unique: true}, {Regexp: &entry.Pattern{Pattern: "^[a-z-]+$"}}}},
	{ID: "body", Name: "Body", Type: entry.Text, Validations: []entry.Validation{{Size: bounds(2, 5)}}},
	{ID: "rich", Name: "Rich", Type: entry.RichText},
	{ID: "count", Name: "Count", Type: entry.Integer, Validations: []entry.Validation{{Range: bounds(1, 9)}}},
	{ID: "price", Name: "Price", Type: entry.Number},
	{ID: "day", Name: "Day", Type: entry.Date},
	{ID: "open", Name: "Open", Type: entry.Boolean, Required: true},
	{ID: "place", Name: "Place", Type: entry.Location},
	{ID: "data", Name: "Data", Type: entry.Object},
	{ID: "pence", Name: "Pence", Type: entry.Integer, Validations: []entry.Validation{{Money: true}}},
	{ID: "monthly", Name: "Monthly", Type: entry.Object, Validations: []entry.Validation{{Properties: &entry.Properties{Each: []entry.Property{
		{ID: "price", Name: "Price", Type: entry.Integer, Required: true, Validations: []entry.Validation{{Money: true}}},
		{ID: "currency", Name: "Currency", Type: entry.Symbol, Required: true, Validations: []entry.Validation{{In: []any{"gbp"}}}},
		{ID: "note", Name: "Note", Type: entry.Symbol},
	}}}}},
	{ID: "notes", Name: "Notes", Type: entry.Object, Validations: []entry.Validation{{Properties: &entry.Properties{
		List: true, Each: []entry.Property{{ID: "title", Name: "Title", Type: entry.Symbol, Required: true}},
	}}}},
	{ID: "colour", Name: "Colour", Type: entry.Symbol, Validations: []entry.Validation{{In: []any{"red", "blue"}, Message: "Red or blue."}}},
	{ID: "one", Name: "One", Type: entry.LinkType, LinkType: entry.KindEntry, Validations: []entry.Validation{{LinkContentType: []string{"thing"}}}},
	{ID: "pictures", Name: "Pictures", Type: entry.Array, Items: &entry.Items{Type: entry.LinkType, LinkType: entry.KindAsset}},
	{ID: "words", Name: "Words", Type: entry.Array, Items: &entry.Items{Type: entry.Symbol, Validations: []entry.Validation{{Size: bounds(1, 3)}}}},
}}

// decoded is a value as it comes from the wire.
func decoded(t *testing.T, text string) (value any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &value))
	return value
}

func faults(t *testing.T, err error) entry.FieldErrors {
	t.Helper()
	var found entry.FieldErrors
	require.ErrorAs(t, err, &found)
	return found
}

func TestADraftHoldsOnlyValuesOfItsFieldsTypes(t *testing.T) {
	t.Parallel()
	const asset, other = `{"sys":{"type":"Link","linkType":"Asset","id":"a"}}`, `{"sys":{"type":"Link","linkType":"Entry","id":"e"}}`
	for field, values := range map[string]struct{ good, bad []string }{
		"title":    {[]string{`"A"`, `""`, `null`}, []string{`1`, `true`, `["a"]`, `{}`, `"` + strings.Repeat("é", 256) + `"`}},
		"body":     {[]string{`"` + strings.Repeat("é", 50_000) + `"`}, []string{`1`, `"` + strings.Repeat("é", 50_001) + `"`}},
		"rich":     {[]string{`{"nodeType":"document","data":{},"content":[]}`}, []string{`"a"`, `{}`, `{"nodeType":"document"}`, `{"nodeType":"text","content":[]}`}},
		"count":    {[]string{`0`, `-3`, `9007199254740991`}, []string{`1.5`, `"1"`, `9007199254740993`, `true`}},
		"price":    {[]string{`1.5`, `0`}, []string{`"1.5"`, `[1]`}},
		"day":      {[]string{`"2026-07-04"`, `"2026-07-04T09:30"`, `"2026-07-04T09:30+01:00"`, `"2026-07-04T09:30:01.5Z"`}, []string{`"4 July"`, `"2026-02-30"`, `20260704`}},
		"open":     {[]string{`false`}, []string{`"true"`, `1`}},
		"place":    {[]string{`{"lat":54.5,"lon":-3}`}, []string{`{"lat":91,"lon":0}`, `{"lat":1}`, `{"lat":1,"lon":2,"alt":3}`, `"54,3"`}},
		"data":     {[]string{`{"a":1}`, `[1]`}, []string{`"a"`, `1`}},
		"one":      {[]string{other}, []string{asset, `"e"`, `{"sys":{"type":"Link","linkType":"Entry","id":"no id"}}`, `{"sys":{"type":"Entry","id":"e"}}`}},
		"pictures": {[]string{`[]`, `[` + asset + `]`}, []string{`[` + other + `]`, asset, `[1]`}},
		"words":    {[]string{`["a","b"]`}, []string{`[1]`, `"a"`, `[` + strings.Repeat(`"a",`, 1000) + `"a"]`}},
	} {
		for _, good := range values.good {
			require.NoError(t, everything.CheckDraft(entry.Fields{field: {"en-GB": decoded(t, good)}}, locales), "%s %.60s", field, good)
		}
		for _, bad := range values.bad {
			found := faults(t, everything.CheckDraft(entry.Fields{field: {"en-GB": decoded(t, bad)}}, locales))
			require.Equal(t, "type", found[0].Name, "%s %.60s", field, bad)
			require.Equal(t, field, found[0].Field)
		}
	}
}

func TestARichTextLeadsNowhereButToPagesAndIsNotEndlesslyDeep(t *testing.T) {
	t.Parallel()
	linked := func(uri string) entry.Fields {
		document := fmt.Sprintf(`{"nodeType":"document","data":{},"content":[{"nodeType":"hyperlink","data":{"uri":%q},"content":[]}]}`, uri)
		return entry.Fields{"rich": {"en-GB": decoded(t, document)}}
	}
	for _, uri := range []string{"https://example.org/a?b=c#d", "http://example.org", "/articles", "#top", "mailto:a@example.org", "tel:116123", ""} {
		require.NoError(t, everything.CheckDraft(linked(uri), locales), uri)
	}
	for _, uri := range []string{"javascript:alert(1)", " JavaScript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "vbscript:x", "blob:x"} {
		require.Equal(t, "type", faults(t, everything.CheckDraft(linked(uri), locales))[0].Name, uri)
	}
	nested := func(levels int) entry.Fields {
		document := strings.Repeat(`{"nodeType":"document","data":{},"content":[`, levels) + strings.Repeat(`]}`, levels)
		return entry.Fields{"rich": {"en-GB": decoded(t, document)}}
	}
	require.NoError(t, everything.CheckDraft(nested(40), locales))
	require.Equal(t, "type", faults(t, everything.CheckDraft(nested(600), locales))[0].Name)
}

func TestADraftKnowsItsFieldsAndLocales(t *testing.T) {
	t.Parallel()
	found := faults(t, everything.CheckDraft(entry.Fields{
		"nothing": {"en-GB": "x"}, "slug": {"cy": "x"}, "title": {"fr": "x", "cy": "Teitl", "en-GB": "Title"},
	}, locales))
	require.Len(t, found, 3)
	require.Equal(t, []string{"nothing", "slug", "title"}, []string{found[0].Field, found[1].Field, found[2].Field})
	require.Equal(t, []string{"unknown", "localized", "unknown"}, []string{found[0].Name, found[1].Name, found[2].Name})
}

func TestReadersGetNothingThatBreaksARule(t *testing.T) {
	t.Parallel()
	good := func() entry.Fields {
		return entry.Fields{"title": {"en-GB": "A"}, "open": {"en-GB": false}}
	}
	require.NoError(t, everything.CheckPublish(good(), locales))
	for rule, broken := range map[string]entry.Fields{
		"required": {"title": {"cy": "A"}}, "regexp": {"slug": {"en-GB": "A B"}}, "range": {"count": {"en-GB": 10.0}},
		"in": {"colour": {"en-GB": "green"}}, "size": {"body": {"en-GB": "too long"}},
	} {
		fields := good()
		for field, values := range broken {
			fields[field] = values
		}
		require.NoError(t, everything.CheckDraft(fields, locales), "a draft may be unfinished")
		found := faults(t, everything.CheckPublish(fields, locales))
		require.Equal(t, rule, found[0].Name)
	}
	fields := good()
	fields["words"] = map[string]any{"en-GB": []any{"a", "long"}}
	require.Equal(t, "size", faults(t, everything.CheckPublish(fields, locales))[0].Name, "the rules of elements")
	fields = good()
	fields["colour"] = map[string]any{"en-GB": "green"}
	require.ErrorContains(t, everything.CheckPublish(fields, locales), "Red or blue.", "the editor's own words")
}

// A reader misses a property whose name is misspelt, and a plan would have no price.
func TestAnObjectsPropertiesAreCheckedWhenItIsPublished(t *testing.T) {
	t.Parallel()
	for value, fault := range map[string]string{
		`{"price":799,"currency":"gbp"}`:               "",
		`{"price":799,"currency":"gbp","note":"Both"}`: "",
		`{"price":-5,"currency":"gbp"}`:                "Price: The amount must be a whole number of pence",
		`{"price":7.99,"currency":"gbp"}`:              "Price: This must be a whole number.",
		`{"price":1,"currency":"gbp"}`:                 "Price: The amount must be a whole number of pence",
		`{"price":"799","currency":"gbp"}`:             "Price: This must be a number.",
		`{"price":100000000,"currency":"gbp"}`:         "Price: The amount must be a whole number of pence",
		`{"price":799,"currency":"EUR"}`:               "Currency: It must be one of",
		`{"price":799}`:                                "Currency: A value is needed.",
		`{"price":799,"currency":" "}`:                 "Currency: A value is needed.",
		`{"prise":799,"currency":"gbp"}`:               `There is no property "prise"; there are price, currency, note.`,
		`[{"price":799,"currency":"gbp"}]`:             "It must be an object with the properties price, currency, note.",
	} {
		fields := entry.Fields{"title": {"en-GB": "A"}, "open": {"en-GB": false}, "monthly": {"en-GB": decoded(t, value)}}
		require.NoError(t, everything.CheckDraft(fields, locales), "a draft may be unfinished")
		err := everything.CheckPublish(fields, locales)
		if fault == "" {
			require.NoError(t, err, value)
			continue
		}
		found := faults(t, err)
		require.Equal(t, []string{"monthly", "properties"}, []string{found[0].Field, found[0].Name}, value)
		require.Contains(t, found[0].Details, fault, value)
	}
	for value, fault := range map[string]string{
		`[]`: "", `[{"title":"Sizes"}]`: "", `{"title":"Sizes"}`: "It must be a list.", `[{"title":"Sizes"},{"titel":"Post"}]`: `Number 2: There is no property "titel"`,
	} {
		err := everything.CheckPublish(entry.Fields{"title": {"en-GB": "A"}, "open": {"en-GB": false}, "notes": {"en-GB": decoded(t, value)}}, locales)
		if fault == "" {
			require.NoError(t, err, value)
			continue
		}
		require.Contains(t, faults(t, err)[0].Details, fault, value)
	}
}

func TestAnAmountIsOneThatCanBeCharged(t *testing.T) {
	t.Parallel()
	for pence, ok := range map[float64]bool{30: true, 799: true, 99_999_999: true, 29: false, 0: false, -799: false, 100_000_000: false} {
		err := everything.CheckPublish(entry.Fields{"title": {"en-GB": "A"}, "open": {"en-GB": false}, "pence": {"en-GB": pence}}, locales)
		require.Equal(t, ok, err == nil, pence)
	}
}

func TestAnEntrySaysWhatMustBeItsAloneAndWhereItPoints(t *testing.T) {
	t.Parallel()
	inside := decoded(t, `{"nodeType":"document","content":[{"nodeType":"embedded-entry-block","data":{"target":{"sys":{"type":"Link","linkType":"Entry","id":"deep"}}},"content":[]}]}`)
	one, picture := entry.Link{Kind: entry.KindEntry, ID: "e"}, entry.Link{Kind: entry.KindAsset, ID: "a"}
	fields := entry.Fields{
		"slug": {"en-GB": "a-slug"}, "rich": {"en-GB": inside}, "one": {"en-GB": one.Value()},
		"pictures": {"en-GB": []any{picture.Value(), picture.Value()}}, "data": {"en-GB": one.Value()},
	}
	require.Equal(t, []entry.UniqueValue{{Field: "slug", Locale: "en-GB", Value: "a-slug"}}, everything.Unique(fields))
	require.Equal(t, []entry.FieldLink{
		{Field: "one", Link: one}, {Field: "pictures", Link: picture}, {Field: "rich", Link: entry.Link{Kind: entry.KindEntry, ID: "deep"}},
	}, everything.Links(fields))
	require.NoError(t, everything.CheckLinks(fields, map[string]string{"e": "thing"}))
	require.NoError(t, everything.CheckLinks(fields, nil), "a link to an entry that does not exist yet is no fault")
	require.Equal(t, "linkContentType", faults(t, everything.CheckLinks(fields, map[string]string{"e": "other"}))[0].Name)
}

func TestAContentTypeThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	require.NoError(t, everything.Check())
	require.NoError(t, entry.Asset().Check())
	for name, spoil := range map[string]func(*entry.ContentType){
		"name":         func(c *entry.ContentType) { c.ID = "no id" },
		"unique":       func(c *entry.ContentType) { c.Fields = append(c.Fields, c.Fields[0]) },
		"type":         func(c *entry.ContentType) { c.Fields[0].Type = "Sound" },
		"linkType":     func(c *entry.ContentType) { c.Fields[0].Type = entry.LinkType },
		"items":        func(c *entry.ContentType) { c.Fields[0].Type = entry.Array },
		"displayField": func(c *entry.ContentType) { c.DisplayField = "count" },
		"regexp": func(c *entry.ContentType) {
			c.Fields[0].Validations = []entry.Validation{{Regexp: &entry.Pattern{Pattern: "("}}}
		},
		"properties": func(c *entry.ContentType) {
			c.Fields[0].Validations = []entry.Validation{{Properties: &entry.Properties{Each: []entry.Property{{ID: "a", Name: "A", Type: entry.Array}}}}}
		},
		"size": func(c *entry.ContentType) { c.Fields = make([]entry.Field, 51) },
	} {
		broken := everything
		broken.Fields = append([]entry.Field(nil), everything.Fields...)
		spoil(&broken)
		var names []string
		for _, fault := range faults(t, broken.Check()) {
			names = append(names, fault.Name)
		}
		require.Contains(t, names, name)
	}
}

func TestAnAssetNeedsAFileThatReadersCanFetch(t *testing.T) {
	t.Parallel()
	file := entry.File{URL: "//cdn.serein.example/a/b.svg", FileName: "b.svg", ContentType: "image/svg+xml", Size: 12, Width: 3, Height: 4}
	require.NoError(t, entry.Asset().CheckPublish(entry.Fields{"file": {"en-GB": file.Value()}}, locales))
	for _, spoil := range []func(*entry.File){
		func(f *entry.File) { f.URL = "https://cdn.serein.example" }, func(f *entry.File) { f.FileName = "" },
		func(f *entry.File) { f.ContentType = "svg" }, func(f *entry.File) { f.Size = 0 },
	} {
		broken := file
		spoil(&broken)
		require.Error(t, entry.Asset().CheckPublish(entry.Fields{"file": {"en-GB": broken.Value()}}, locales))
	}
	require.Error(t, entry.Asset().CheckPublish(entry.Fields{"title": {"en-GB": "No file"}}, locales))
}

func TestLocalesFallBackAndNeverGoRoundInCircles(t *testing.T) {
	t.Parallel()
	l := entry.Locales{{Code: "en-GB", Default: true}, {Code: "cy", Fallback: "en-GB"}, {Code: "a", Fallback: "b"}, {Code: "b", Fallback: "a"}}
	require.Equal(t, "en-GB", l.Default())
	require.Equal(t, []string{"cy", "en-GB"}, l.Chain("cy"))
	require.Equal(t, []string{"a", "b"}, l.Chain("a"))
	require.Empty(t, l.Chain("fr"))
}

func TestTagsAndConceptsAreIdsAndStandThereOnce(t *testing.T) {
	t.Parallel()
	require.NoError(t, entry.CheckTerms([]string{"a", "b"}, []string{"a"}))
	require.Error(t, entry.CheckTerms([]string{"a", "a"}, nil))
	require.Error(t, entry.CheckTerms(nil, []string{"not an id"}))
}
