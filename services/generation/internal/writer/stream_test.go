package writer_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/writer"
	"serein.app/services/testkit"
)

// streamed is a Writer who passes passages on.
func streamed(t *testing.T, m writer.Model, l writer.Limits, c *counts) *writer.Writer {
	t.Helper()
	return writer.New(writer.Ports{
		Outside: writer.NewOutside(m, l), BuiltIn: script.Composer{}, Budget: c, Metrics: c, Log: testkit.Logger(t),
		Prices: writer.Prices{In: 2, Out: 10}, Streamed: true,
	})
}

// onto is a sheet with what was said, that stores nothing.
func onto(asked bool, said ...recording.Passage) *meditation.Sheet {
	return meditation.NewSheet(said, asked, func([]recording.Passage) error { return nil }, func() error { return nil })
}

// wanted is what the meditation asks of its script.
func wanted(m meditation.Meditation) brief.Brief {
	return brief.Of(brief.Brief{
		Title: m.Title, GivenName: m.GivenName, TypeID: m.TypeID, PracticeID: m.PracticeID, Affirmations: m.Brief.Affirmations,
		MinWords: m.Brief.MinWords, MaxWords: m.Brief.MaxWords, Breaks: m.Brief.Breaks, Pause: m.Brief.Pause, Language: m.Language,
	})
}

// requireWhole holds a sheet against what was asked for, and its beginning against what was said first.
func requireWhole(t *testing.T, m meditation.Meditation, sheet *meditation.Sheet, begins []passage, because string) {
	t.Helper()
	require.Empty(t, wanted(m).Check(recording.Script{Passages: sheet.Said}), because)
	for i, p := range begins {
		require.Equal(t, p.Say, sheet.Said[i].Sentences, because)
	}
}

func TestAGoodScriptIsPassedOnPassageByPassage(t *testing.T) {
	t.Parallel()
	m, c, sheet := ordered("A walk by the canal"), newCounts(), onto(false)
	lines := good(t, m)
	model := &standIn{turns: []turn{{text: text(lines)}}, usage: writer.Usage{In: 1000, Out: 700}}
	w := streamed(t, model, patient, c)
	require.True(t, w.Streams(m))
	require.NoError(t, w.Stream(t.Context(), m, sheet))
	requireWhole(t, m, sheet, lines, "good")
	require.Len(t, model.asked, 1)
	require.Equal(t, map[string]int{writer.ByModel: 1}, c.written)
	require.Empty(t, c.midway)
	require.EqualValues(t, 1000*2+700*10, c.withdrawn)
}

// What Serein's own writer writes was read by people: passage by passage it must be as good as in one piece.
func TestSereinsOwnScriptsPassPassageByPassage(t *testing.T) {
	t.Parallel()
	sizes := []meditation.Brief{
		{MinWords: 350, MaxWords: 380, Breaks: 17, Pause: 40 * time.Second},
		{MinWords: 550, MaxWords: 600, Breaks: 19, Pause: 70 * time.Second},
		{MinWords: 900, MaxWords: 950, Breaks: 28, Pause: 90 * time.Second},
	}
	for p, practice := range []string{"vipassana", "zen", "tibetan", "mbsr", "transcendental", "yogic", "taoist", "secular-mindfulness"} {
		for n, kind := range []string{"stress-relief", "better-sleep", "gratitude", "anger", "mindfulness", "compassion"} {
			m := ordered("My driving test")
			m.TypeID, m.PracticeID, m.SizeID = kind, practice, []string{"minimed", "reset", "timeout"}[(p+n)%3]
			affirmations := m.Brief.Affirmations
			m.Brief = sizes[(p+n)%3]
			m.Brief.Affirmations = affirmations
			c, sheet, model := newCounts(), onto(false), &standIn{turns: []turn{{text: text(good(t, m))}}}
			require.NoError(t, streamed(t, model, patient, c).Stream(t.Context(), m, sheet))
			require.Equal(t, map[string]int{writer.ByModel: 1}, c.written, "%s %s %v", practice, kind, c.refused)
		}
	}
}

// The passages behind the first are read when the first is passed on already.
func TestAPassageIsPassedOnBeforeTheNextIsWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, c, began := ordered("A walk by the canal"), newCounts(), time.Now()
		var waited []time.Duration
		sheet := meditation.NewSheet(nil, false, func(passages []recording.Passage) error {
			for range passages {
				waited = append(waited, time.Since(began))
			}
			return nil
		}, func() error { return nil })
		require.NoError(t, streamed(t, slowly{text(good(t, m))}, patient, c).Stream(t.Context(), m, sheet))
		require.Len(t, waited, m.Brief.Breaks)
		require.Equal(t, time.Second, waited[0])
		require.Equal(t, 2*time.Second, waited[1])
		last := time.Duration(m.Brief.Breaks) * time.Second
		require.Equal(t, []time.Duration{last, last, last, last}, waited[m.Brief.Breaks-4:], "the last ones are judged together")
	})
}

// failing are answers that fail behind six good passages.
func failing(t *testing.T, m meditation.Meditation) map[string]turn {
	t.Helper()
	lines := good(t, m)
	whole := text(lines)
	begins := text(lines[:6])
	instead := func(say ...string) turn {
		data, err := json.Marshal(passage{N: 7, Say: say, Rest: "short"})
		require.NoError(t, err)
		return turn{text: begins + string(data) + "\n" + text(lines[7:])}
	}
	return map[string]turn{
		"unspeakable":        instead("Breathe in 4 times."),
		"unsafe":             instead("Hold your breath until I tell you."),
		"said twice":         instead(lines[1].Say[0]),
		"the name again":     instead("Rest here for a moment, Amara.", "And then, Amara, let it go."),
		"no passage":         instead(),
		"far too long":       instead(strings.Split(strings.Repeat("Rest with whatever is here for now and let everything else be as it is today.|", 16), "|")[:16]...),
		"half":               {text: whole[:len(begins)+20]},
		"a passage less":     {text: text(lines[:len(lines)-1])},
		"it breaks":          {text: begins, err: &writer.ModelError{Cause: writer.Away, Again: true}},
		"too many requests":  {text: begins, err: &writer.ModelError{Cause: writer.Limited, Again: true, After: time.Minute}},
		"a refusal":          {text: begins, err: &writer.ModelError{Cause: writer.Refused}},
		"an unknown error":   {text: begins, err: errors.New("what")},
		"the format changes": {text: begins + "Passage 7: Breathe in.\n"},
		"it stops":           {text: begins, stallsBehind: true},
	}
}

func TestWhatFailsInTheMiddleTheModelMends(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	limits := writer.Limits{AtOnce: 1, First: 5 * time.Second, Whole: 45 * time.Second}
	for name, bad := range failing(t, m) {
		synctest.Test(t, func(t *testing.T) {
			c, sheet, lines := newCounts(), onto(false), good(t, m)
			model := &standIn{turns: []turn{bad, {text: text(lines[6:])}}}
			if name == "a passage less" {
				model.turns[1].text = text(lines[13:])
			}
			began := time.Now()
			require.NoError(t, streamed(t, model, limits, c).Stream(t.Context(), m, sheet), name)
			requireWhole(t, m, sheet, lines[:6], name)
			require.Len(t, model.asked, 2, name)
			require.Equal(t, map[string]int{writer.RestByModel: 1}, c.midway, name)
			require.Equal(t, map[string]int{writer.Mended: 1}, c.written, name)
			require.LessOrEqual(t, time.Since(began), limits.First, name)
			said := model.asked[1].Turns
			require.Contains(t, said[1], lines[0].Say[0], "the question has what was said")
			require.NotContains(t, said[1], "Breathe in 4 times.")
			require.Equal(t, name == "unspeakable", strings.Contains(said[2], "Breathe in 4 times."), "the fault is named")
			require.True(t, sheet.Asked)
		})
	}
}

func TestTheBuiltInWriterWritesTheRestThatTheModelCannot(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	limits := writer.Limits{AtOnce: 1, First: 5 * time.Second, Whole: 45 * time.Second}
	for name, bad := range failing(t, m) {
		synctest.Test(t, func(t *testing.T) {
			c, sheet, lines := newCounts(), onto(false), good(t, m)
			model := &standIn{turns: []turn{bad, {text: strings.ReplaceAll(bad.text, `"n":1,`, `"n":7,`), err: &writer.ModelError{Cause: writer.Rejected}}}}
			require.NoError(t, streamed(t, model, limits, c).Stream(t.Context(), m, sheet), name)
			requireWhole(t, m, sheet, lines[:6], name)
			require.Len(t, model.asked, 2, name)
			require.Equal(t, map[string]int{writer.RestByBuiltIn: 1}, c.midway, name)
		})
	}
}

func TestAsLongAsNothingIsSaidTheWholeIsRepairedOnce(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	lines := good(t, m)
	bad := append([]passage{{N: 1, Say: []string{"Breathe in 4 times."}, Rest: "short"}}, lines[1:]...)
	for name, first := range map[string]turn{
		"a bad passage": {text: text(bad)}, "prose": {text: "Sure! Here is a meditation.\n"}, "half": {text: `{"n":1,`}, "empty": {},
	} {
		c, sheet := newCounts(), onto(false)
		model := &standIn{turns: []turn{first, {text: text(lines)}}}
		require.NoError(t, streamed(t, model, patient, c).Stream(t.Context(), m, sheet), name)
		requireWhole(t, m, sheet, lines, name)
		require.Len(t, model.asked, 2, name)
		require.Equal(t, map[string]int{writer.Mended: 1}, c.written, name)
		require.Empty(t, c.midway, name)
		require.Equal(t, name != "a bad passage", len(model.asked[1].Turns) == 1, name)

		c, sheet = newCounts(), onto(false)
		model = &standIn{turns: []turn{first}}
		require.NoError(t, streamed(t, model, patient, c).Stream(t.Context(), m, sheet), name)
		require.Equal(t, builtIn(t, m).Passages, sheet.Said, name)
		require.Len(t, model.asked, 2, name)
	}
}

func TestAModelThatDoesNotAnswerIsNotAskedAgainWhileTheMemberWaits(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	for cause, first := range map[writer.Cause]turn{
		writer.Slow: {stalls: true}, writer.Rejected: {err: &writer.ModelError{Cause: writer.Rejected}}, writer.Limited: {err: &writer.ModelError{Cause: writer.Limited, Again: true, After: time.Hour}},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, sheet := newCounts(), onto(false)
			model := &standIn{turns: []turn{first}}
			require.NoError(t, streamed(t, model, writer.Limits{AtOnce: 1, First: 5 * time.Second, Whole: 45 * time.Second}, c).Stream(t.Context(), m, sheet))
			require.Equal(t, builtIn(t, m).Passages, sheet.Said)
			require.Len(t, model.asked, 1, cause)
			require.Equal(t, map[string]int{string(cause): 1}, c.written)
		})
	}
}

// A model that trickles is given up while nobody hears anything. Once somebody does, it may take as long as listening takes.
func TestAModelHasTheTimeOfAScriptUntilSomethingIsHeardAndThenThatOfListening(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	synctest.Test(t, func(t *testing.T) {
		c, sheet, began := newCounts(), onto(false), time.Now()
		w := streamed(t, slowly{text(good(t, m))}, writer.Limits{AtOnce: 1, First: 5 * time.Second, Whole: 10 * time.Second}, c)
		require.NoError(t, w.Stream(t.Context(), m, sheet))
		require.Equal(t, map[string]int{writer.ByModel: 1}, c.written)
		require.Equal(t, 17*time.Second, time.Since(began), "longer than a whole script may take")
	})
	synctest.Test(t, func(t *testing.T) {
		c, sheet, began := newCounts(), onto(false), time.Now()
		w := streamed(t, slowly{strings.Repeat("\n", 60)}, writer.Limits{AtOnce: 1, First: 5 * time.Second, Whole: 10 * time.Second}, c)
		require.NoError(t, w.Stream(t.Context(), m, sheet))
		require.Equal(t, map[string]int{string(writer.Slow): 1}, c.written)
		require.Equal(t, 10*time.Second, time.Since(began))
		require.Equal(t, builtIn(t, m).Passages, sheet.Said)
	})
}

// What an earlier process stored stays, and the model is asked for the rest once in all.
func TestAnotherProcessGoesOnBehindWhatWasSaid(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	lines := good(t, m)
	begun := onto(false)
	model := &standIn{turns: []turn{{text: text(lines)}}}
	require.NoError(t, streamed(t, model, patient, newCounts()).Stream(t.Context(), m, begun))
	for n := 1; n <= m.Brief.Breaks; n++ {
		for asked, by := range map[bool]string{false: writer.RestByModel, true: writer.RestByBuiltIn} {
			c, sheet := newCounts(), onto(asked, begun.Said[:n:n]...)
			model := &standIn{turns: []turn{{text: text(lines[n:])}}}
			require.NoError(t, streamed(t, model, patient, c).Stream(t.Context(), m, sheet))
			require.Len(t, sheet.Said, m.Brief.Breaks)
			require.Equal(t, begun.Said[:n], sheet.Said[:n])
			if n == m.Brief.Breaks {
				require.Empty(t, model.asked)
				continue
			}
			require.Equal(t, map[string]int{by: 1}, c.midway, n)
			require.Len(t, model.asked, map[bool]int{false: 1, true: 0}[asked])
		}
	}
}

func TestAStoreThatFailsIsNoFaultOfTheModels(t *testing.T) {
	t.Parallel()
	m, c, away, left := ordered("A walk by the canal"), newCounts(), errors.New("the database is away"), 3
	sheet := meditation.NewSheet(nil, false, func([]recording.Passage) error {
		if left--; left < 0 {
			return away
		}
		return nil
	}, func() error { return nil })
	model := &standIn{turns: []turn{{text: text(good(t, m))}}}
	require.ErrorIs(t, streamed(t, model, patient, c).Stream(t.Context(), m, sheet), away)
	require.Len(t, sheet.Said, 3)
	require.Len(t, model.asked, 1)
	require.Empty(t, c.written)
}

func TestOnlyWhatTheBuiltInWriterCouldEndIsStreamed(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	w := streamed(t, &standIn{}, patient, newCounts())
	m.Language = "fr-FR"
	require.False(t, w.Streams(m))
	m.Language = "en-GB"
	require.False(t, newWriter(t, &standIn{}, patient, newCounts()).Streams(m), "off in the settings")
}
