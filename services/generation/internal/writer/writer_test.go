package writer_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/writer"
)

func TestAGoodScriptIsTheModels(t *testing.T) {
	t.Parallel()
	m, c := ordered("A walk by the canal"), newCounts()
	lines := good(t, m)
	lines[3].Rest = "long"
	model := &standIn{turns: []turn{{text: text(lines)}}, usage: writer.Usage{In: 1000, Out: 700}}
	s, err := newWriter(t, model, patient, c).Write(t.Context(), m)
	require.NoError(t, err)
	require.NotEqual(t, sentences(builtIn(t, m)), sentences(s))
	var total time.Duration
	for i, p := range s.Passages {
		require.Equal(t, lines[i].Say, p.Sentences)
		require.Len(t, p.Common, len(p.Sentences))
		for nth, sentence := range p.Sentences {
			require.Equal(t, strings.Contains(strings.Join(m.Brief.Affirmations, "|"), sentence), p.IsCommon(nth), "%s", sentence)
		}
		total += p.Pause
	}
	require.Equal(t, m.Brief.Pause, total)
	require.Greater(t, s.Passages[3].Pause, s.Passages[2].Pause)
	require.GreaterOrEqual(t, s.Words, m.Brief.MinWords)
	require.Equal(t, map[string]int{writer.ByModel: 1}, c.written)
	require.EqualValues(t, 1000*2+700*10, c.cost)
	require.Equal(t, c.cost, c.withdrawn)
}

func TestSentencesThatMayBeLeftOutFillTheWords(t *testing.T) {
	t.Parallel()
	m, c := ordered("A walk by the canal"), newCounts()
	lines := good(t, m)
	for i := range lines {
		if n := len(lines[i].Say); n > 1 && i > 0 {
			lines[i].Say, lines[i].More = lines[i].Say[:n-1], lines[i].Say[n-1:]
		}
	}
	s, err := newWriter(t, &standIn{turns: []turn{{text: text(lines)}}}, patient, c).Write(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, map[string]int{writer.ByModel: 1}, c.written)
	require.GreaterOrEqual(t, s.Words, m.Brief.MinWords)
	require.LessOrEqual(t, s.Words, m.Brief.MaxWords)
}

func TestTypographyIsNoFault(t *testing.T) {
	t.Parallel()
	m, c := ordered("A walk by the canal"), newCounts()
	answer := strings.ReplaceAll(text(good(t, m)), ", ", " — ")
	answer = "```json\n" + strings.ReplaceAll(answer, "'", "’") + "\n\n```"
	s, err := newWriter(t, &standIn{turns: []turn{{text: answer}}}, patient, c).Write(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, map[string]int{writer.ByModel: 1}, c.written)
	require.NotContains(t, strings.Join(sentences(s), " "), "—")
}

func TestAScriptIsMendedOnce(t *testing.T) {
	t.Parallel()
	m, c := ordered("A walk by the canal"), newCounts()
	bad := good(t, m)
	bad[2].Say = []string{"Breathe in 4 times."}
	model := &standIn{turns: []turn{{text: text(bad)}, {text: text(good(t, m))}}, usage: writer.Usage{In: 10, Out: 10}}
	_, err := newWriter(t, model, patient, c).Write(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, map[string]int{writer.Mended: 1}, c.written)
	require.Equal(t, 1, c.refused["unspeakable"])
	require.Len(t, model.asked, 2)
	said := model.asked[1].Turns
	require.Len(t, said, 3)
	require.Equal(t, model.asked[0].Turns[0], said[0])
	require.Contains(t, said[1], `"Breathe in 4 times."`)
	require.Contains(t, said[2], `Breathe in 4 times.`, "the fault is named")
	require.EqualValues(t, 2*(10*2+10*10), c.cost, "both are paid")
}

func TestTheBuiltInWriterTakesOver(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	bad := good(t, m)
	bad[2].Say = []string{"Breathe in 4 times."}
	whole := text(good(t, m))
	half := len(whole)/2 + strings.Index(whole[len(whole)/2:], `"rest"`) // within a line
	for name, c := range map[string]struct {
		turns []turn
		cause writer.Cause
		asks  int
	}{
		"faulty twice":                {[]turn{{text: text(bad)}}, writer.Faulty, 2},
		"half":                        {[]turn{{text: whole[:half]}}, writer.Half, 1},
		"half, and the stream breaks": {[]turn{{text: whole[:half], err: &writer.ModelError{Cause: writer.Away, Again: true}}}, writer.Away, 1},
		"empty":                       {[]turn{{}}, writer.Half, 1},
		"prose":                       {[]turn{{text: "Sure! Here is a meditation.\nBreathe in."}}, writer.Malformed, 1},
		"one object":                  {[]turn{{text: `{"script":[` + whole + `]}` + "\n"}}, writer.Malformed, 1},
		"the format changes":          {[]turn{{text: whole[:half] + "\nPassage 9: Breathe in.\n" + whole[half:]}}, writer.Malformed, 1},
		"other fields":                {[]turn{{text: strings.Replace(whole, `"rest"`, `"pause"`, 1)}}, writer.Malformed, 1},
		"two on a line":               {[]turn{{text: strings.Replace(whole, "\n", " ", 1)}}, writer.Malformed, 1},
		"numbers out of turn":         {[]turn{{text: strings.Replace(whole, `"n":2`, `"n":3`, 1)}}, writer.Malformed, 1},
		"no sentence":                 {[]turn{{text: `{"n":1,"say":[],"rest":"short"}` + "\n"}}, writer.Malformed, 1},
		"without end":                 {[]turn{{text: strings.Repeat("a", 70<<10)}}, writer.Malformed, 1},
		"a refusal":                   {[]turn{{err: &writer.ModelError{Cause: writer.Refused}}}, writer.Refused, 1},
		"a wrong key":                 {[]turn{{err: &writer.ModelError{Cause: writer.Rejected}}}, writer.Rejected, 1},
		"an unknown error":            {[]turn{{err: errors.New("what")}}, writer.Away, 1},
		"long to wait":                {[]turn{{err: &writer.ModelError{Cause: writer.Limited, Again: true, After: time.Hour}}}, writer.Limited, 1},
	} {
		counted, model := newCounts(), &standIn{turns: c.turns}
		s, err := newWriter(t, model, patient, counted).Write(t.Context(), m)
		require.NoError(t, err, name)
		require.Equal(t, builtIn(t, m), s, name)
		require.Equal(t, map[string]int{string(c.cause): 1}, counted.written, name)
		require.Len(t, model.asked, c.asks, name)
	}
}

func TestWhatIsReadIsPaidAlsoWhereTheModelDidNotSayHowMuch(t *testing.T) {
	t.Parallel()
	m, c := ordered("A walk by the canal"), newCounts()
	whole := text(good(t, m))
	model := &standIn{turns: []turn{{text: whole[:400], err: &writer.ModelError{Cause: writer.Away}}}}
	_, err := newWriter(t, model, patient, c).Write(t.Context(), m)
	require.NoError(t, err)
	require.Greater(t, c.withdrawn, budget.Cost(400/4*10))
}

func TestNothingIsAskedBeyondTheBudget(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	for cause, c := range map[writer.Cause]*counts{writer.OverBudget: newCounts(), writer.Uncounted: newCounts()} {
		c.roomErr = errors.New("the database is away")
		if cause == writer.OverBudget {
			c.roomErr = budget.ErrOver
		}
		model := &standIn{turns: []turn{{text: text(good(t, m))}}}
		s, err := newWriter(t, model, patient, c).Write(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, builtIn(t, m), s)
		require.Empty(t, model.asked)
		require.Greater(t, c.asked[0], budget.Cost(4*380*10), "what a script may cost at most")
		require.Equal(t, map[string]int{string(cause): 1}, c.written)
	}
}

func TestAQuestionIsAskedAgainWhereTheVendorSaysThatItMayBe(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	whole := text(good(t, m))
	synctest.Test(t, func(t *testing.T) {
		began, c := time.Now(), newCounts()
		model := &standIn{turns: []turn{
			{err: &writer.ModelError{Cause: writer.Limited, Again: true, After: 3 * time.Second}}, {err: &writer.ModelError{Cause: writer.Away, Again: true}}, {text: whole},
		}}
		_, err := newWriter(t, model, patient, c).Write(t.Context(), m)
		require.NoError(t, err)
		require.Len(t, model.asked, 3)
		require.Equal(t, map[string]int{writer.ByModel: 1}, c.written)
		require.Equal(t, 4*time.Second, time.Since(began), "3 s as the vendor asked, then 1 s")
	})
	synctest.Test(t, func(t *testing.T) {
		c := newCounts()
		model := &standIn{turns: []turn{{err: &writer.ModelError{Cause: writer.Away, Again: true}}}}
		_, err := newWriter(t, model, patient, c).Write(t.Context(), m)
		require.NoError(t, err)
		require.Len(t, model.asked, 3, "not without end")
		require.Equal(t, map[string]int{string(writer.Away): 1}, c.written)
	})
}

func TestASlowModelIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	whole := text(good(t, m))
	limits := writer.Limits{AtOnce: 1, First: 5 * time.Second, Whole: 45 * time.Second}
	for name, c := range map[string]struct {
		turn   turn
		waited time.Duration
	}{
		"no first piece":      {turn{stalls: true}, 5 * time.Second},
		"it stops in between": {turn{text: whole[:300], stallsBehind: true}, 45 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			began, counted := time.Now(), newCounts()
			s, err := newWriter(t, &standIn{turns: []turn{c.turn}}, limits, counted).Write(t.Context(), m)
			require.NoError(t, err, name)
			require.Equal(t, builtIn(t, m), s)
			require.Equal(t, c.waited, time.Since(began), name)
			require.Equal(t, map[string]int{string(writer.Slow): 1}, counted.written, name)
		})
	}
}

func TestAModelThatFailsAgainAndAgainIsNotAskedForAWhile(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	synctest.Test(t, func(t *testing.T) {
		c := newCounts()
		away := turn{err: &writer.ModelError{Cause: writer.Rejected}}
		model := &standIn{turns: []turn{away, away, away, away, away, {text: text(good(t, m))}}}
		w := newWriter(t, model, patient, c)
		for range 7 {
			_, err := w.Write(t.Context(), m)
			require.NoError(t, err)
		}
		require.Len(t, model.asked, 5)
		require.Equal(t, map[string]int{string(writer.Rejected): 5, string(writer.Resting): 2}, c.written)
		time.Sleep(31 * time.Second) //nolint:forbidigo // the bubble's time
		_, err := w.Write(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, 1, c.written[writer.ByModel])
	})
}

func TestHalfOfAMeditationsTimeIsKeptForItsNarration(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	synctest.Test(t, func(t *testing.T) {
		began, c := time.Now(), newCounts()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err := newWriter(t, &standIn{turns: []turn{{stalls: true}}}, patient, c).Write(ctx, m)
		require.NoError(t, err)
		require.Equal(t, 10*time.Second, time.Since(began))
	})
}

func TestWhatIsTooMuchAtOnceTheBuiltInWriterWrites(t *testing.T) {
	t.Parallel()
	m := ordered("A walk by the canal")
	synctest.Test(t, func(t *testing.T) {
		c := newCounts()
		w := newWriter(t, &standIn{turns: []turn{{text: text(good(t, m)), stallsBehind: true}}}, writer.Limits{AtOnce: 1, First: 5 * time.Second, Whole: time.Minute}, c)
		done := make(chan error)
		go func() { _, err := w.Write(t.Context(), m); done <- err }()
		synctest.Wait()
		_, err := w.Write(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, map[string]int{string(writer.Busy): 1}, c.written)
		require.NoError(t, <-done)
	})
}

// Work that was stopped is no fault of the model's: the next process goes on.
func TestAStoppedMeditationIsNotWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, c := ordered("A walk by the canal"), newCounts()
		ctx, cancel := context.WithCancel(t.Context())
		w := newWriter(t, &standIn{turns: []turn{{text: `{"n":1`, stallsBehind: true}}, usage: writer.Usage{In: 5, Out: 5}}, patient, c)
		done := make(chan error)
		go func() { _, err := w.Write(ctx, m); done <- err }()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		require.Empty(t, c.written)
		require.EqualValues(t, 60, c.withdrawn, "what was used is paid")
	})
}

func TestAPanicIsNoSetbackOfTheMeditation(t *testing.T) {
	t.Parallel()
	m, c := ordered("A walk by the canal"), newCounts()
	s, err := newWriter(t, panics{}, patient, c).Write(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, builtIn(t, m), s)
}

type panics struct{}

func (panics) Stream(context.Context, writer.Ask, func(string) error) (writer.Usage, error) {
	panic("what")
}
