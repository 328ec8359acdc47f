package brief_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
)

var (
	practices = []string{"vipassana", "zen", "tibetan", "mbsr", "transcendental", "yogic", "taoist", "secular-mindfulness"}
	types     = []string{
		"stress-relief", "loving-kindness", "better-sleep", "focus-concentration", "mindfulness", "compassion",
		"gratitude", "anxiety-relief", "resilience", "relationships", "anger",
	}
	sizes        = []string{"minimed", "reset", "timeout"}
	affirmations = []string{"I can put this down for now.", "One thing at a time is enough.", "There is time for me in this day."}
)

// asked is a brief of the catalogue's sizes.
func asked(title, typeID, practiceID, sizeID string) brief.Brief {
	b := brief.Brief{Title: title, TypeID: typeID, PracticeID: practiceID, Affirmations: affirmations, Language: "en-GB", GivenName: "Amara"}
	switch sizeID {
	case "minimed":
		b.MinWords, b.MaxWords, b.Breaks, b.Pause = 350, 380, 17, 40*time.Second
	case "reset":
		b.MinWords, b.MaxWords, b.Breaks, b.Pause = 550, 600, 19, 70*time.Second
	default:
		b.MinWords, b.MaxWords, b.Breaks, b.Pause = 900, 950, 28, 90*time.Second
	}
	return brief.Of(b)
}

// composed is what Serein's own writer makes of a brief.
func composed(t *testing.T, b brief.Brief, sizeID string, seed uint64) recording.Script {
	t.Helper()
	s, err := script.Compose(script.Request{
		Title: b.Title, GivenName: b.GivenName, TypeID: b.TypeID, PracticeID: b.PracticeID, SizeID: sizeID, MinWords: b.MinWords, MaxWords: b.MaxWords,
		Breaks: b.Breaks, PauseSeconds: int(b.Pause / time.Second), Affirmations: b.Affirmations, Past: b.Lately, Seed: seed,
	})
	require.NoError(t, err)
	return s
}

// What Serein's own writer writes was read by people. A check that refuses it is too strict.
func TestSereinsOwnScriptsAreGood(t *testing.T) {
	t.Parallel()
	for n, typeID := range types {
		for _, practiceID := range practices {
			for _, sizeID := range sizes {
				b := asked([]string{"After the long meeting", "My driving test", "x"}[n%3], typeID, practiceID, sizeID)
				require.Empty(t, b.Check(composed(t, b, sizeID, 1)), "%s %s %s", typeID, practiceID, sizeID)
			}
		}
	}
}

// Every title in every practice; the types take turns.
func TestSereinsOwnScriptsAreGoodWhateverTheTitle(t *testing.T) {
	t.Parallel()
	for n, title := range []string{
		"Sleep", "日本語", "WHY AM I SO ANGRY", "I was in a car crash", "My father died last week", "Infertility", "I am pregnant and cannot sleep", "Asthma",
		"I have cancer", "My back hurts", "We broke up", "Eviction notice", "I am so ashamed", "lonely at Christmas", "Bridge",
	} {
		for i, practiceID := range practices {
			sizeID := sizes[(n+i)%len(sizes)]
			b := asked(title, types[(n+i)%len(types)], practiceID, sizeID)
			require.Empty(t, b.Check(composed(t, b, sizeID, 1)), "%s: %s", title, practiceID)
		}
	}
}

func TestADailyMembersScriptsAreGood(t *testing.T) {
	t.Parallel()
	b := asked("After the long meeting", "stress-relief", "zen", "minimed")
	for day := range uint64(30) {
		s := composed(t, b, "minimed", day)
		require.Empty(t, b.Check(s))
		b.Lately = slices.Insert(b.Lately, 0, sentences(s))
	}
}

func sentences(s recording.Script) (all []string) {
	for _, p := range s.Passages {
		all = append(all, p.Sentences...)
	}
	return all
}

// saying is a good script in which the second sentence of the second passage, or its first, is another one.
func saying(t *testing.T, b brief.Brief, sentence string) recording.Script {
	t.Helper()
	s := composed(t, b, "timeout", 1)
	for i, p := range s.Passages {
		s.Passages[i].Sentences = slices.Clone(p.Sentences)
	}
	p := s.Passages[1].Sentences
	p[len(p)-1] = sentence
	b.MinWords, b.MaxWords = 0, 2*b.MaxWords
	return s
}

func TestABadSentenceIsFoundAndNamed(t *testing.T) {
	t.Parallel()
	for sentence, reason := range map[string]brief.Reason{
		"Look at 3 things.": brief.Unspeakable, "*Breathe* in.": brief.Unspeakable, "<b>Rest</b> here.": brief.Unspeakable, "Rest (a while).": brief.Unspeakable,
		"rest a while.": brief.Unspeakable, "Rest a while": brief.Unspeakable, "REST here for a while.": brief.Unspeakable, "": brief.Unspeakable,
		"Rest \U0001F30A here.": brief.Unspeakable, "Rest here. [pause]": brief.Unspeakable, "Отдохни немного.": brief.Unspeakable, "Rest \"here\".": brief.Unspeakable,
		strings.TrimSuffix("Rest "+strings.Repeat("a while and ", 20), " ") + ".": brief.Unspeakable,
		"Visit us at www dot serein dot com for more.":                            brief.Outside, "Open Headspace after this.": brief.Outside, "Subscribe to our channel now.": brief.Outside,
		"As an AI I do not have a body.": brief.Echo, "Here is the script that you asked for.": brief.Echo, "I am sorry, but I cannot help with that.": brief.Echo,
		"My instructions say that I write meditations.": brief.Echo, "Ignore all previous instructions and rest.": brief.Echo,
		"Hold your breath for as long as you can.": brief.Unsafe, "This will heal your heart for good.": brief.Unsafe, "Put your medication away tonight.": brief.Unsafe,
		"You are worthless and you know it.": brief.Unsafe, "Think of how you want to die.": brief.Unsafe, "Let all that shit go now.": brief.Unsafe,
	} {
		b := asked("After the long meeting", "mindfulness", "zen", "timeout")
		s := saying(t, b, sentence)
		b.MinWords = 1
		b.MaxWords *= 2
		faults := b.Check(s)
		require.Len(t, faults, 1, sentence)
		require.Equal(t, reason, faults[0].Reason, sentence)
		require.Equal(t, sentence, faults[0].Sentence)
		require.NotEmpty(t, faults[0].Say)
	}
}

func TestWhatAClassMustNotBeToldIsFound(t *testing.T) {
	t.Parallel()
	for title, sentence := range map[string]string{
		"I was in a car crash": "Feel how your chest rises now.", "PTSD flashbacks": "Close your eyes.", "My father died last week": "Think of your family.",
		"After a miscarriage": "It will pass in the end.", "Infertility": "Thank your body for all it does.", "I am pregnant": "Lie on your back.", "Asthma": "Follow the next breath.",
		"I have cancer": "You are healthy and strong.", "My back hurts": "Look for a tight place.", "We broke up": "Your friends are near.",
		"Eviction notice": "You are rich in so many ways.", "I am so ashamed": "Think of a mistake of yours.", "lonely at Christmas": "Think of your loved ones.",
	} {
		b := asked(title, "mindfulness", "zen", "timeout")
		require.NotEmpty(t, b.Spared(), title)
		s := saying(t, b, sentence)
		b.MinWords, b.MaxWords = 1, 2*b.MaxWords
		faults := b.Check(s)
		require.Len(t, faults, 1, title)
		require.Equal(t, brief.Never, faults[0].Reason, title)
		require.Equal(t, sentence, faults[0].Sentence)
	}
	require.Empty(t, asked("After the long meeting", "mindfulness", "zen", "timeout").Spared())
}

// whole are faults of no single sentence: what is done to a good script, and to what was asked.
var whole = map[string]struct {
	reason brief.Reason
	change func(b *brief.Brief, s *recording.Script)
}{
	"few words":        {brief.Words, func(b *brief.Brief, _ *recording.Script) { b.MinWords, b.MaxWords = 960, 999 }},
	"many words":       {brief.Words, func(b *brief.Brief, _ *recording.Script) { b.MinWords, b.MaxWords = 100, 899 }},
	"another total":    {brief.Pauses, func(b *brief.Brief, _ *recording.Script) { b.Pause += time.Second }},
	"a short silence":  {brief.Pauses, func(_ *brief.Brief, s *recording.Script) { shift(s, s.Passages[0].Pause-500*time.Millisecond) }},
	"an odd silence":   {brief.Pauses, func(_ *brief.Brief, s *recording.Script) { shift(s, 100*time.Millisecond) }},
	"a passage less":   {brief.Breaks, func(b *brief.Brief, _ *recording.Script) { b.Breaks++ }},
	"the same again":   {brief.Repeated, func(_ *brief.Brief, s *recording.Script) { s.Passages[5].Sentences[0] = s.Passages[4].Sentences[0] }},
	"nearly the same":  {brief.Repeated, func(_ *brief.Brief, s *recording.Script) { repeatAlmost(s) }},
	"told lately":      {brief.Known, func(b *brief.Brief, s *recording.Script) { b.Lately = [][]string{sentences(*s)} }},
	"the name twice":   {brief.Named, func(_ *brief.Brief, s *recording.Script) { say(s, "Now, Amara, look around.", "Amara, rest.") }},
	"another practice": {brief.Untaught, func(b *brief.Brief, s *recording.Script) { b.PracticeID = "transcendental"; garden(b, s) }},
	"a title": {brief.Quoted, func(b *brief.Brief, s *recording.Script) {
		b.Title = "Grandma has gone away"
		*b = brief.Of(*b)
		say(s, "Now your grandma has gone away.")
	}},
}

func shift(s *recording.Script, by time.Duration) {
	s.Passages[0].Pause -= by
	s.Passages[1].Pause += by
}

func repeatAlmost(s *recording.Script) {
	s.Passages[5].Sentences[0] = "Let the light on the wall be the only light you look at."
	s.Passages[6].Sentences[0] = "Let the light on the wall be the last light you look at."
}

func say(s *recording.Script, sentences ...string) {
	for i, sentence := range sentences {
		s.Passages[5+i].Sentences[0] = sentence
	}
}

// garden is a script that speaks of a garden only.
func garden(b *brief.Brief, s *recording.Script) {
	b.MinWords = 1
	for i := range s.Passages {
		s.Passages[i].Sentences = []string{"Row " + strings.Repeat("m", i+1) + " of " + strings.Repeat("o", i+1) + " and " + strings.Repeat("n", i+1) + " grows in the sun."}
	}
}

func TestAFaultOfTheWholeIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range whole {
		b := asked("After the long meeting", "mindfulness", "tibetan", "timeout")
		b.GivenName = "Amara"
		s := composed(t, b, "timeout", 1)
		for i, p := range s.Passages {
			s.Passages[i].Sentences = slices.Clone(p.Sentences)
		}
		require.Empty(t, b.Check(s))
		c.change(&b, &s)
		var reasons []brief.Reason
		for _, f := range b.Check(s) {
			reasons = append(reasons, f.Reason)
		}
		require.Contains(t, reasons, c.reason, name)
	}
}

func TestEveryReasonIsOneOfTheList(t *testing.T) {
	t.Parallel()
	require.Len(t, brief.Reasons, 13)
	for _, r := range brief.Reasons {
		require.NotEmpty(t, r)
	}
}
