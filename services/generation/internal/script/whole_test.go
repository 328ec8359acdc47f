package script

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What hurts is never said without what consoles: themes are spoken whole in every size, and so is the farewell, with its last line
// at the end.
func TestWhatConsolesIsNeverCut(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	from, at := map[string]*block{}, map[string]string{}
	lib.each(func(where string, b *block) {
		for _, l := range b.lines {
			from[l.text], at[l.text] = b, where
		}
	})
	for _, title := range []string{"Mum has dementia", "Missing my dad", "So ashamed", "My back hurts", "My driving test"} {
		everyRequest(lib, title, func(r Request) {
			s, err := lib.compose(r)
			require.NoError(t, err)
			said := spoken(s)
			for _, sentence := range said {
				if strings.HasPrefix(at[sentence], "themes/") || path.Base(at[sentence]) == "keep" {
					require.Subset(t, said, texts(from[sentence].lines), "%s %s %s", title, r.TypeID, r.SizeID)
				}
			}
			farewell := from[said[len(said)-1]]
			require.Equal(t, farewell.lines[len(farewell.lines)-1].text, said[len(said)-1])
		})
	}
}

// The type that a member chose is spoken of in every script, beside a theme too.
func TestTheTypeHasATurnInEverySize(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	for _, title := range []string{"My driving test", "Zebras"} {
		everyRequest(lib, title, func(r Request) {
			own := strings.Count(strings.Join(places(lib, drafted(t, lib, r)), "\n"), "types/"+r.TypeID+"/turn")
			require.Positive(t, own, "%s: %s %s", title, r.TypeID, r.SizeID)
		})
	}
}

// What speaks of turns that were taken is said only where the type has as many.
func TestWhatSpeaksOfTurnsNeedsThem(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	of := lib.types["anger"]
	for _, b := range of.stages["settle"][1:] {
		b.needs = append(b.needs, "turns")
	}
	first := of.stages["settle"][0].lines[0].text
	for title, only := range map[string]bool{"My driving test": true, "Zebras": false} {
		others := false
		for seed := range uint64(10) {
			d := drafted(t, lib, ask(shapes[2], "anger", "zen", title, seed))
			said := slices.ContainsFunc(d.pieces(), func(p *piece) bool { return p.lines[0].text == first })
			others = others || !said
			if only {
				require.True(t, said)
			}
		}
		require.NotEqual(t, only, others, title)
	}
}
