package narrate_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/narrate"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/seed"
)

func scripts(t *testing.T) narrate.Scripts {
	t.Helper()
	offer, err := catalogue.Load()
	require.NoError(t, err)
	return narrate.NewScripts(offer)
}

func published(contentType string, fields map[string]any) entry.Published {
	return entry.Published{ContentType: contentType, Fields: draft(fields).Fields}
}

func TestAnArticleIsReadWithItsTitleAndWithoutItsMarks(t *testing.T) {
	t.Parallel()
	s := scripts(t).Of(published("article", map[string]any{"title": "Awake at Three", "body": strings.Join([]string{
		"It is *dark*, and you are **awake**. You know the `time`.\nStill the same paragraph!",
		"## ‘Look at the clock’",
		"See [our page](https://serein.example/a?b=1), or <https://serein.example>. ![A picture](x.png)",
		"- First one.\n- Second one.",
		"---",
		"> Said by somebody.",
		"```\ncode is not said\n```",
		"<script>alert(1)</script>",
		"***",
	}, "\n\n")}), "en-GB")
	require.Empty(t, s.NarratorID)
	require.Equal(t, []narrate.Passage{
		{Sentences: []string{"Awake at Three"}, Pause: 2 * time.Second},
		{Sentences: []string{"It is dark, and you are awake.", "You know the time.", "Still the same paragraph!"}, Pause: 2500 * time.Millisecond},
		{Sentences: []string{"‘Look at the clock’"}, Pause: 1200 * time.Millisecond},
		{Sentences: []string{"See our page, or https://serein.example."}, Pause: 1500 * time.Millisecond},
		{Sentences: []string{"First one."}, Pause: 800 * time.Millisecond},
		{Sentences: []string{"Second one."}, Pause: 2500 * time.Millisecond},
		{Sentences: []string{"Said by somebody."}, Pause: 2500 * time.Millisecond},
	}, s.Passages)
}

func TestAMeditationHasTheSilencesThatItsScriptNames(t *testing.T) {
	t.Parallel()
	s := scripts(t).Of(published("meditation", map[string]any{
		"type": "Anger", "script": "[pause 3]\n\nBreathe in. And out.\n\n[pause 18]\n\n[pause 4]\n\nHere [pause 2] there.\n\nLast.\n\n[pause 90]",
	}), "en-GB")
	require.Equal(t, "ansel", s.NarratorID, "the type's own")
	require.False(t, s.Immersive)
	require.Equal(t, []narrate.Passage{
		{Pause: 3 * time.Second},
		{Sentences: []string{"Breathe in.", "And out."}, Pause: 22 * time.Second},
		{Sentences: []string{"Here"}, Pause: 2 * time.Second},
		{Sentences: []string{"there."}, Pause: 1500 * time.Millisecond},
		{Sentences: []string{"Last."}, Pause: time.Minute},
	}, s.Passages)
	other := published("meditation", map[string]any{"type": "Anger", "voice": "wren", "script": "Rest."})
	require.Equal(t, "wren", scripts(t).Of(other, "en-GB").NarratorID)
}

func TestAnImmersiveMeditationBeginsAndEndsWithQuietOfItsOwn(t *testing.T) {
	t.Parallel()
	of := func(script string) []narrate.Passage {
		s := scripts(t).Of(published("meditation", map[string]any{"type": "Anger", "immersive": true, "script": script}), "en-GB")
		require.True(t, s.Immersive)
		return s.Passages
	}
	require.Equal(t, []narrate.Passage{
		{Pause: 6 * time.Second}, {Sentences: []string{"Rest."}, Pause: 1500 * time.Millisecond}, {Sentences: []string{"Wake."}, Pause: 4 * time.Second},
	}, of("Rest.\n\nWake."))
	require.Equal(t, []narrate.Passage{
		{Pause: 8 * time.Second}, {Sentences: []string{"Rest."}, Pause: 9 * time.Second},
	}, of("[pause 2]\n\nRest. [pause 5]"), "beside what the script names")
	require.Empty(t, of("[pause 2]"), "there is nothing to say")
}

// An admin's form asks the same of both: what it says of an article is heard in it.
func TestAnImmersiveScriptThatIsLongerThanTheNarratorTakesEndsWithItsQuietToo(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Rest. [pause 2]\n\n", 600)
	s := scripts(t).Of(published("meditation", map[string]any{"type": "Anger", "script": long, "immersive": true}), "en-GB")
	require.Len(t, s.Passages, 500)
	require.Equal(t, narrate.Passage{Pause: 6 * time.Second}, s.Passages[0])
	require.Equal(t, 2*time.Second, s.Passages[498].Pause)
	require.Equal(t, 6*time.Second, s.Passages[499].Pause, "the script's last pause, and the quiet of four seconds")

	words := scripts(t).Of(published("article", map[string]any{"title": "Long", "body": strings.Repeat("Rest.\n\n", 600), "immersive": true}), "en-GB")
	require.Len(t, words.Passages, 500)
	require.Equal(t, 4*time.Second, words.Passages[499].Pause)
}

func TestAnArticleIsReadByWhomAndHowItsMakerSaid(t *testing.T) {
	t.Parallel()
	of := func(more map[string]any) narrate.Script {
		fields := map[string]any{"title": "On rain", "body": "It falls."}
		maps.Copy(fields, more)
		return scripts(t).Of(published("article", fields), "en-GB")
	}
	require.Equal(t, "ansel", of(map[string]any{"type": "Anger"}).NarratorID, "the type's own")
	immersive := of(map[string]any{"type": "Anger", "voice": "wren", "immersive": true})
	require.Equal(t, "wren", immersive.NarratorID)
	require.Equal(t, []narrate.Passage{
		{Pause: 6 * time.Second}, {Sentences: []string{"On rain"}, Pause: 2 * time.Second}, {Sentences: []string{"It falls."}, Pause: 4 * time.Second},
	}, immersive.Passages)
	require.True(t, immersive.Immersive)
}

func TestOtherWordsAnotherNarratorAndQuietAroundThemMakeAnotherHash(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range []narrate.Script{
		{},
		{NarratorID: "wren"},
		{Immersive: true},
		{Passages: []narrate.Passage{{Sentences: []string{"A."}}}},
		{Passages: []narrate.Passage{{Sentences: []string{"A."}, Pause: 1}}},
		{Passages: []narrate.Passage{{Sentences: []string{"A.", "B."}}}},
	} {
		require.Regexp(t, `^[0-9a-f]{32}$`, s.Hash())
		require.False(t, seen[s.Hash()], "%+v", s)
		seen[s.Hash()] = true
	}
}

// Every text in seed/ has a narrator whom the meditation types know, and keeps the narrator's limits.
func TestEverySeedTextCanBeNarrated(t *testing.T) {
	t.Parallel()
	contents, faults := seeding.Read(seed.FS)
	require.Empty(t, faults)
	texts := 0
	for _, item := range contents.Items {
		if item.ContentType != "article" && item.ContentType != "meditation" {
			continue
		}
		texts++
		s := scripts(t).Of(entry.Published{ContentType: item.ContentType, Fields: item.Draft.Fields}, "en-GB")
		require.Equal(t, item.ContentType == "article", s.NarratorID == "", item.ID)
		require.Greater(t, len(s.Passages), 3, item.ID)
		require.Less(t, len(s.Passages), 500, item.ID)
		for _, p := range s.Passages {
			require.LessOrEqual(t, p.Pause, time.Minute, item.ID)
			for _, sentence := range p.Sentences {
				require.NotContains(t, sentence, "[pause", item.ID)
				require.NotRegexp(t, `[*#>\x60]|\]\(`, sentence, item.ID)
			}
		}
	}
	require.Equal(t, 47, texts)
}
