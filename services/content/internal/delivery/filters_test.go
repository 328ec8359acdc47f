package delivery_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
)

// found says for each query, its parameters parted by blanks, which entries it finds, oldest first.
var found = map[string]string{
	"content_type=post":                                            "p1 p2 p3",
	"sys.id=p2":                                                    "p2",
	"sys.id[ne]=p2 content_type=post":                              "p1 p3",
	"sys.id[in]=p2,ada,nobody":                                     "ada p2",
	"sys.id[in][]=p2 sys.id[in][]=p1":                              "p1 p2",
	"sys.id[nin]=p2,p1 content_type=post":                          "p3",
	"sys.id[exists]=false":                                         "",
	"sys.type=Entry content_type=author":                           "ada grace",
	"sys.type=Asset":                                               "",
	"sys.contentType.sys.id=author":                                "ada grace",
	"sys.contentType.sys.id[in]=author":                            "ada grace",
	"sys.contentType.sys.id[nin]=author":                           "p1 p2 p3",
	"sys.revision=1 content_type=author":                           "ada grace",
	"sys.revision[gt]=1":                                           "p2",
	"sys.publishedVersion[in]=2,3 content_type=author":             "ada grace",
	"sys.updatedAt[lt]=2026-01-02T09:30:00.123Z":                   "ada",
	"sys.updatedAt[lte]=2026-01-02T09:30:00.123Z":                  "ada grace",
	"sys.updatedAt[gt]=2026-01-06T09:30:00.123Z":                   "p3",
	"sys.updatedAt[gte]=2026-01-06T09:30:00.123Z":                  "p2 p3",
	"sys.createdAt=2026-01-06T09:30:00.123Z":                       "p2",
	"sys.createdAt[ne]=2026-01-06T09:30:00.123Z content_type=post": "p1 p3",
	"sys.createdAt[in]=2026-01-06T09:30:00.123Z,2026-01-01":        "p2",

	"content_type=post fields.title=Evening|calm":                   "p2",
	"content_type=post fields.title=evening|calm":                   "",
	"content_type=post fields.title[ne]=Evening|calm":               "p1 p3",
	"content_type=post fields.title[in]=Evening|calm,Morning|calm":  "p1 p2",
	"content_type=post fields.title[in][]=Noon,|\"bright\"":         "p3",
	"content_type=post fields.title[nin]=Evening|calm,Morning|calm": "p3",
	"content_type=post fields.title[all]=Evening|calm":              "p2",
	"content_type=post fields.title[match]=calm":                    "p1 p2",
	"content_type=post fields.title[match]=EVEN":                    "p2",
	"content_type=post fields.title[match]=calm|morn":               "p1",
	"content_type=post fields.title[match]=alm":                     "",
	"content_type=post fields.title[exists]=true":                   "p1 p2 p3",
	"content_type=post fields.body[exists]=false":                   "p3",
	"content_type=post fields.body=Rest.":                           "p2",
	"content_type=post fields.body[match]=slow":                     "p1",
	"content_type=post fields.rich[match]=lavender":                 "p1",
	"content_type=post fields.rich[match]=paragraph":                "",
	"content_type=post fields.rich[exists]=true":                    "p1",
	"content_type=post fields.order=10":                             "p2",
	"content_type=post fields.order[ne]=10":                         "p1 p3",
	"content_type=post fields.order[lt]=10":                         "p1 p3",
	"content_type=post fields.order[lte]=10":                        "p1 p2 p3",
	"content_type=post fields.order[gt]=1 fields.order[lt]=10":      "p3",
	"content_type=post fields.order[gte]=2":                         "p2 p3",
	"content_type=post fields.order[in]=1,2":                        "p1 p3",
	"content_type=post fields.rating=4.5":                           "p1",
	"content_type=post fields.rating[lt]=0":                         "p2",
	"content_type=post fields.rating[nin]=4.5":                      "p2 p3",
	"content_type=post fields.on=2026-03-01":                        "p1",
	"content_type=post fields.on=2026-03-01T09:00:00Z":              "p2",
	"content_type=post fields.on[ne]=2026-03-01":                    "p2 p3",
	"content_type=post fields.on[gt]=2026-03-01":                    "p2",
	"content_type=post fields.on[in]=2026-03-01T00:00Z,2020-01-01":  "p1",
	"content_type=post fields.on[exists]=false":                     "p3",
	"content_type=post fields.open=true":                            "p1",
	"content_type=post fields.open[ne]=true":                        "p2 p3",
	"content_type=post fields.open[in]=true,false":                  "p1 p2",
	"content_type=post fields.data[exists]=true":                    "p1",
	"content_type=post fields.labels=calm":                          "p1 p2",
	"content_type=post fields.labels[ne]=dawn":                      "p2 p3",
	"content_type=post fields.labels[in]=dawn,dusk":                 "p1 p2",
	"content_type=post fields.labels[nin]=dawn":                     "p2 p3",
	"content_type=post fields.labels[all]=calm,dusk":                "p2",
	"content_type=post fields.labels[match]=daw":                    "p1",
	"content_type=post fields.labels[exists]=false":                 "p3",

	"content_type=post fields.place[within]=50,-1,52,1":       "p1",
	"content_type=post fields.place[within]=48,2,350":         "p2",
	"content_type=post fields.place[within]=-90,150,90,-179":  "p3",
	"content_type=post fields.place[near]=48,2 order=sys.id":  "p1 p2 p3",
	"content_type=author fields.best.sys.id=p1":               "ada",
	"content_type=author fields.best[exists]=false":           "grace",
	"content_type=post fields.author.sys.id[in]=grace,nobody": "p2",
	"content_type=post fields.author.sys.id[ne]=grace":        "p1 p3",
	"content_type=post fields.related.sys.id=p2":              "p1",
	"content_type=post fields.related.sys.id[all]=p2,gone":    "p1",
	"content_type=post fields.related.sys.id[nin]=p2":         "p2 p3",
	"content_type=post fields.related.sys.id[exists]=true":    "p1",
	"content_type=post fields.related.sys.id[exists]=false":   "p2 p3",
	"content_type=post fields.author.sys.id[exists]=true":     "p1 p2",
	"content_type=post fields.cover.sys.id=cover":             "p1",
	"links_to_entry=p2":    "p1",
	"links_to_entry=gone":  "p1",
	"links_to_asset=cover": "p1",
	"links_to_asset=voice": "",

	"content_type=post fields.author.sys.contentType.sys.id=author fields.author.fields.name=Ada":                                    "p1",
	"content_type=post fields.author.sys.contentType.sys.id=author fields.author.fields.born[gt]=1900":                               "p2",
	"content_type=post fields.author.sys.contentType.sys.id=author fields.author.fields.name[match]=gra":                             "p2",
	"content_type=post fields.author.sys.contentType.sys.id=author fields.author.fields.born[gt]=1900 fields.author.fields.name=Ada": "",
	"content_type=post fields.author.sys.contentType.sys.id=author":                                                                  "p1 p2",
	"content_type=post fields.related.sys.contentType.sys.id=post fields.related.fields.order=10":                                    "p1",

	"metadata.tags.sys.id[in]=featured":                     "p1",
	"metadata.tags.sys.id[all]=featured,old":                "p1",
	"metadata.tags.sys.id[nin]=featured content_type=post":  "p2 p3",
	"metadata.tags[exists]=true":                            "p1 p2",
	"metadata.tags[exists]=false content_type=post":         "p3",
	"metadata.concepts.sys.id[in]=calm,sleep":               "p2",
	"metadata.concepts.sys.id[all]=dream":                   "p1",
	"metadata.concepts.sys.id[nin]=dream content_type=post": "p2 p3",
	"metadata.concepts[exists]=true":                        "p1 p2",
	"metadata.concepts.descendants[in]=calm":                "p1 p2",
	"metadata.concepts.descendants[in]=sleep":               "p1",

	"query=calm":              "p1 p2",
	"query=lavender":          "p1",
	"query=wrote|count":       "ada",
	"query=dusk":              "p2",
	"query=ruhe":              "",
	"query=ruhe locale=de-DE": "p1",
	"query=Document":          "",
	"query=?!":                "",
	"query=hush":              "",
	"query=hu sys.id=p1":      "",
	"query=gone":              "",

	"content_type=post locale=de-DE fields.title=Ruhe|am|Morgen": "p1",
	"content_type=post locale=de-DE fields.title=Evening|calm":   "p2",
	"content_type=post locale=de-DE fields.title=Morning|calm":   "",
	"content_type=post locale=fr-FR fields.title[exists]=true":   "p3",
	"content_type=post locale=fr-FR fields.order=2":              "p3",
	"content_type=post locale=* fields.title=Morning|calm":       "p1",
	"content_type=post fields.title.de-DE=Ruhe|am|Morgen":        "p1",
	"content_type=post fields.title.de-DE=Evening|calm":          "",
}

func TestAQueryFindsWhatItsOperatorsMeanAndNothingElse(t *testing.T) {
	t.Parallel()
	a := world(t)
	for query, want := range found {
		parameters := strings.Fields(query)
		for i := range parameters {
			parameters[i] = strings.ReplaceAll(parameters[i], "|", " ")
		}
		if !strings.Contains(query, "order=sys") {
			parameters = append(parameters, "order=sys.createdAt")
		}
		got := a.get("entries", parameters...)
		require.Equal(t, want, strings.Join(got.ids(t), " "), query)
		require.EqualValues(t, len(got.ids(t)), got.body["total"], query)
		counted := a.get("entries", append(parameters, "limit=0")...)
		require.EqualValues(t, got.body["total"], counted.body["total"], "%s, counted", query)
	}
}

func TestWhatHasNoPlaceIsNowhereNearOne(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.contentType("master", "bench", []entry.Field{
		{ID: "title", Name: "Title", Type: entry.Symbol}, {ID: "place", Name: "Place", Type: entry.Location},
	})
	a.publish("hill", "bench", `{"place":{"en-GB":{"lat":51.5,"lon":-0.12}}}`)
	a.publish("lost", "bench", `{"title":{"en-GB":"Nobody knows where"}}`)
	a.publish("bay", "bench", `{"place":{"en-GB":{"lat":50,"lon":0}}}`)
	require.Equal(t, []string{"bay", "hill"}, a.get("entries", "content_type=bench", "fields.place[near]=50,0").ids(t))
	require.Equal(t, []string{"bay"}, a.get("entries", "content_type=bench", "fields.place[within]=50,0,100").ids(t))
	require.Equal(t, []string{"bay", "hill"}, a.get("entries", "content_type=bench", "fields.place[within]=50,0,20016").ids(t), "half round the Earth")
}
