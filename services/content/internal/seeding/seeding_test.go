package seeding_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/seed"
	"serein.app/services/testkit"
)

// good says that nothing is wrong but that files are missing which few does not have.
func good(t *testing.T, err error) {
	t.Helper()
	for _, fault := range faults(t, err) {
		require.ErrorContains(t, fault, "file does not exist")
	}
}

func faults(t *testing.T, err error) []error {
	t.Helper()
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, err == nil || ok, err)
	if !ok {
		return nil
	}
	return joined.Unwrap()
}

func TestTheFirstStartFillsTheDatabaseAndTheSecondChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	applied, err := h.apply(t)
	good(t, err)
	require.Equal(t, 7, applied)
	require.Equal(t, 7, h.count(t, "SELECT count(*) FROM published"))
	require.Equal(t, 2, h.count(t, "SELECT count(*) FROM links WHERE id = 'first'"), "names of categories lead to them")
	trail := h.count(t, "SELECT count(*) FROM revisions")

	applied, err = h.apply(t)
	good(t, err)
	require.Zero(t, applied)
	require.Equal(t, trail, h.count(t, "SELECT count(*) FROM revisions"))
	require.Zero(t, h.count(t, "SELECT count(*) FROM content_types WHERE version > 1"))
}

func TestAChangedFileChangesItsEntryAndNoOther(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.apply(t)
	good(t, err)
	h.write("articles/first.md", "---\ntitle: \"First, again\"\n---\nAnother body.\n")
	h.write("articles/second.md", "---\r\n# a remark\r\ntitle: 'Second'\r\n---\r\nThe body.\r\n")
	applied, err := h.apply(t)
	good(t, err)
	require.Equal(t, 1, applied, "what says the same in another way has not changed")
	require.Equal(t, "First, again", h.title(t, "first"))
	require.Zero(t, h.count(t, "SELECT count(*) FROM links WHERE id = 'first'"))
}

func TestWhatAnEditorChangedStaysAndSoDoesWhatHasNoFileAnyMore(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.apply(t)
	good(t, err)
	item, err := h.store.Item(t.Context(), key("first"))
	require.NoError(t, err)
	_, err = h.store.Update(t.Context(), editor, item.Key, item.Version, draftOf(item.Fields, "By hand"))
	require.NoError(t, err)
	h.write("articles/first.md", "---\ntitle: From the file\n---\nText.\n")
	delete(h.files, "articles/second.md")
	applied, err := h.apply(t)
	good(t, err)
	require.Zero(t, applied)
	kept, err := h.store.Item(t.Context(), key("first"))
	require.NoError(t, err)
	require.Equal(t, "By hand", kept.Fields["title"]["en-GB"])
	require.Equal(t, "Second", h.title(t, "second"))
}

func TestABrokenFileIsNamedWithItsLineAndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	for place, broken := range map[string][2]string{
		"articles/third.md:3: Article has no field colour":            {"articles/third.md", "---\ntitle: Third\ncolour: red\n---\nText\n"},
		"articles/third.md:3: open: \"perhaps\" is neither true nor":  {"articles/third.md", "---\ntitle: Third\nopen: perhaps\n---\nText\n"},
		"articles/third.md:4: there is no entry none":                 {"articles/third.md", "---\ntitle: Third\n\ncategories: [None]\n---\nText\n"},
		"articles/third.md:2: title: A value is needed.":              {"articles/third.md", "---\nopen: true\n---\nText\n"},
		"articles/third.md:2: title: This may have 255":               {"articles/third.md", "---\ntitle: " + strings.Repeat("x", 256) + "\n---\nText\n"},
		"articles/third.md:1: the file must begin":                    {"articles/third.md", "title: Third\n"},
		"articles/third.md:3: title stands here twice":                {"articles/third.md", "---\ntitle: Third\ntitle: Fourth\n---\nText\n"},
		"articles/third.md:3: did not find":                           {"articles/third.md", "---\ntitle: Third\nopen: [1\n---\nText\n"},
		"categories.yaml:3: it needs an id":                           {"categories.yaml", "- id: better-sleep\n  name: Better Sleep\n- name: Anger\n- id: anger\n  name: Anger\n"},
		"about.md:2: the id \"about\" cannot be, or is":               {"about.md", "---\ntitle: About\n---\nText\n"},
		"content-types.yaml:26: a: There is no field type \"Sound\".": {"content-types.yaml", string(few["content-types.yaml"].Data) + "- id: sound\n  name: Sound\n  fields: [{id: a, name: A, type: Sound}]\n"},
		"notes/a.md:0: no content type takes this file":               {"notes/a.md", "text"},
		"homepage.yaml:1: this must be fields with values":            {"homepage.yaml", "- a\n"},
		"articles/third.md:2: title: one value is needed here":        {"articles/third.md", "---\ntitle: [Third]\n---\nText\n"},
		"articles/third.md:2: categories: a list is needed here":      {"articles/third.md", "---\ncategories: Anger\ntitle: Third\n---\nText\n"},
		"content-types.yaml:26: json: unknown field \"colour\"":       {"content-types.yaml", string(few["content-types.yaml"].Data) + "- id: sound\n  name: Sound\n  colour: red\n"},
		"content-types.yaml:26: page stands here twice":               {"content-types.yaml", string(few["content-types.yaml"].Data) + "- id: page\n  name: Page\n  fields: []\n"},
	} {
		h := &harness{files: maps.Clone(few)}
		if broken[0] == "about.md" {
			h.write("articles/about.md", broken[1])
		}
		h.write(broken[0], broken[1])
		contents, found := seeding.Read(h.files)
		require.ErrorContains(t, errors.Join(found...), place)
		require.GreaterOrEqual(t, len(contents.Items), 6, place)
	}
}

func TestWhatTheStoreRefusesIsNamedWithItsPlaceAndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.apply(t)
	good(t, err)
	// An editor has given the content type another field that is required.
	page, err := h.store.ContentType(t.Context(), "master", "page")
	require.NoError(t, err)
	page.Fields[1].Validations = append(page.Fields[1].Validations, atLeast(100))
	_, err = h.store.SetContentType(t.Context(), editor, page)
	require.NoError(t, err)
	h.write("about.md", "---\ntitle: About\n---\nToo short\n")
	h.write("articles/first.md", "---\ntitle: Changed\n---\nText\n")
	applied, err := h.apply(t)
	require.ErrorContains(t, err, "about.md:2: ")
	require.ErrorContains(t, err, "at least 100")
	require.Equal(t, 1, applied)
	require.Equal(t, "Changed", h.title(t, "first"))
}

func TestReplicasThatStartAtOnceFillTheDatabaseOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	const replicas = 3
	applied := make([]int, replicas)
	var wait sync.WaitGroup
	for i := range replicas {
		wait.Go(func() {
			var err error
			applied[i], err = seeding.New(h.files, h.store, h.keep, testkit.Logger(t)).Once(context.WithoutCancel(t.Context()))
			good(t, err)
		})
	}
	wait.Wait()
	require.Equal(t, 7, applied[0]+applied[1]+applied[2])
	require.Equal(t, 14, h.count(t, "SELECT count(*) FROM revisions"), "each was made and published once")
}

func TestWhoIsKilledHalfWayGoesOnAtTheNextStart(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx, die := context.WithCancel(t.Context())
	applied, err := h.seeder(&dying{Store: h.store, after: 3, die: die}).Once(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 3, applied)
	require.Equal(t, 3, h.count(t, "SELECT count(*) FROM items"))
	require.Equal(t, 3, h.count(t, "SELECT count(*) FROM published"))
	rest, err := h.apply(t)
	good(t, err)
	require.Equal(t, 4, rest)
}

func TestAFileThatCannotBeAppliedIsInTheLogAndEndsNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.write("articles/third.md", "---\ntitle: Third\ncolour: red\n---\nText\n")
	require.NoError(t, h.seeder(h.store).Run(t.Context()))
	require.Contains(t, h.log.String(), "articles/third.md:3: Article has no field colour")
	require.Equal(t, 7, h.count(t, "SELECT count(*) FROM published"))
}

func TestSeedFilesFillTheDatabase(t *testing.T) {
	t.Parallel()
	h := setup(t)
	contents, _ := seeding.Read(seed.FS)
	applied, err := seeding.New(seed.FS, h.store, h.keep, testkit.Logger(t)).Once(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(contents.Items), applied)
	require.Equal(t, applied, h.count(t, "SELECT count(*) FROM published"))
	require.Zero(t, h.count(t, "SELECT count(*) FROM links l WHERE NOT EXISTS (SELECT 1 FROM published p WHERE p.id = l.target_id)"))
}

func TestPicturesAreKeptAndPublishedAndWhatIsWrongWithOneIsNamed(t *testing.T) {
	t.Parallel()
	h := setup(t)
	var pine bytes.Buffer
	require.NoError(t, png.Encode(&pine, image.NewGray(image.Rect(0, 0, 2, 3))))
	h.write("assets/pine.png", pine.String())
	h.write("assets/page.webp", "<html>")
	h.write("assets/nobody.png", "")
	h.write("assets.yaml", `- {id: pine, title: A pine, description: On a rock, file: pine.png}
- {id: page, title: A page, file: page.webp}
- {id: gone, title: Gone, file: gone.png}
- {id: pine, title: Again, file: pine.png}
- {id: odd, colour: red, file: pine.png}
`)
	_, err := h.apply(t)
	for _, fault := range []string{
		"assets/page.webp:0: ASSET_INVALID", "assets.yaml:3: open assets/gone.png", `assets.yaml:4: the id "pine" cannot be, or is that of assets.yaml:1`,
		"assets.yaml:5: a picture has no colour", "assets/nobody.png:0: no picture has this file",
	} {
		require.ErrorContains(t, err, fault)
	}
	require.Equal(t, []string{"pine.png"}, h.kept)
	p, err := h.store.Published(t.Context(), entry.Key{Environment: entry.Master, Kind: entry.KindAsset, ID: "pine"})
	require.NoError(t, err)
	require.Equal(t, "A pine", p.Fields["title"]["en-GB"])
	file, _ := p.Fields["file"]["en-GB"].(map[string]any)
	require.Equal(t, map[string]any{"size": float64(pine.Len()), "image": map[string]any{"width": 2.0, "height": 3.0}}, file["details"])
}

func TestFaultsOfFilesAreCounted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	reader := sdkmetric.NewManualReader()
	meter := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)).Meter("serein/content")
	_, found := h.apply(t)
	before := len(faults(t, found))
	h.write("articles/third.md", "---\ntitle: Third\ncolour: red\n---\nText\n")
	seeder := h.seeder(h.store)
	require.NoError(t, seeder.Watch(meter))
	require.NoError(t, seeder.Run(t.Context()))
	require.InDelta(t, before+1, testkit.Metric(t, reader, "serein.content.seed.faults"), 0)
}

func TestALegalTextThatNeedsAnotherVersionIsNamedAndTheRestIsApplied(t *testing.T) {
	t.Parallel()
	h := setup(t)
	applied, err := h.seeder(refusing{h.store}).Once(t.Context())
	require.Equal(t, 6, applied)
	require.ErrorContains(t, errors.Join(faults(t, err)...), "articles/first.md:2: ")
	require.NoError(t, h.seeder(refusing{h.store}).Run(t.Context()), "it ends, and does not try for ever")
}
