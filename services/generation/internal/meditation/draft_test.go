package meditation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
)

// shelf keeps one draft. Every other method of the store is nil: none is called.
type shelf struct {
	meditation.Store
	draft meditation.Draft
}

func (s *shelf) OwnDraft(context.Context, uuid.UUID, uuid.UUID, time.Time) (meditation.Draft, error) {
	return s.draft, nil
}

func (s *shelf) ChangeDraft(_ context.Context, d meditation.Draft) (meditation.Draft, error) {
	d.Revision++
	s.draft = d
	return d, nil
}

// written is a draft as Serein's own writer writes it; the same for the same title and practice.
func written(t require.TestingT, title, practice string) meditation.Draft {
	m := meditation.Meditation{
		ID: uuid.NewSHA1(uuid.Nil, []byte(title)), UID: uuid.NewSHA1(uuid.Nil, []byte(practice)),
		Request: meditation.Request{Title: title, TypeID: "stress-relief", PracticeID: practice, SizeID: "minimed", GivenName: "Amara", Language: "en-GB", Day: "2026-11-21"},
		Brief: meditation.Brief{
			MinWords: 350, MaxWords: 380, Breaks: 17, Pause: 40 * time.Second,
			Affirmations: []string{"I can put this down for now.", "One thing at a time is enough.", "There is time for me in this day."},
		},
	}
	for n := 0; ; n++ {
		m.Day = fmt.Sprintf("2026-11-21, %d", n)
		s, err := script.Composer{}.Write(context.Background(), m)
		require.NoError(t, err)
		d := meditation.Draft{ID: m.ID, UID: m.UID, Request: m.Request, Brief: m.Brief, Revision: 1}
		for _, p := range s.Passages {
			passage := meditation.DraftPassage{Pause: p.Pause}
			for i, sentence := range p.Sentences {
				passage.Lines = append(passage.Lines, meditation.DraftLine{Written: sentence, Common: p.IsCommon(i)})
			}
			d.Passages = append(d.Passages, passage)
		}
		if len(d.Problems()) == 0 {
			return d
		}
	}
}

// asked is what a writer would be asked for the draft.
func asked(d meditation.Draft) brief.Brief {
	return meditation.Meditation{Request: d.Request, Brief: d.Brief}.Asked()
}

// lines are all of a draft.
func lines(d meditation.Draft) (all []meditation.DraftLine) {
	for _, p := range d.Passages {
		all = append(all, p.Lines...)
	}
	return all
}

// Whatever a member does to a script, it is counted and judged by the check that written scripts pass: it may be narrated exactly where
// Check finds nothing, its silences are the size's, and no word of the member's is marked as everybody's.
func TestAnEditedScriptIsJudgedAsAWrittenOneIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		titles := rapid.SampledFrom([]string{"After the long meeting", "My mother died last week", "x", "Sore back, bad day"})
		keep := &shelf{draft: written(rt, titles.Draw(rt, "title"), rapid.SampledFrom([]string{"zen", "mbsr", "yogic"}).Draw(rt, "practice"))}
		require.Empty(rt, keep.draft.Problems())
		s := meditation.New(meditation.Ports{Store: keep, Rewriter: script.Rewriter{}, Now: time.Now})
		own := rapid.SampledFrom([]string{
			"be here", "Let the shoulders drop. Let the day go!", "I can put this down for now.", "Amara, rest.", "Count to 10.", "Take your pills.",
			"The family is near.", "l’eau — so calm", "", "Hold your breath", strings.Repeat("And so on, ", 8) + "amen.",
		})
		for range rapid.IntRange(1, 12).Draw(rt, "edits") {
			before := keep.draft
			line := rapid.IntRange(1, len(lines(before))).Draw(rt, "line")
			var err error
			switch rapid.IntRange(0, 2).Draw(rt, "edit") {
			case 0:
				text := own.Draw(rt, "text")
				_, err = s.ChangeLine(rt.Context(), before.UID, before.ID, before.Revision, line, meditation.LineChange{Text: &text})
			case 1:
				dropped := rapid.Bool().Draw(rt, "dropped")
				_, err = s.ChangeLine(rt.Context(), before.UID, before.ID, before.Revision, line, meditation.LineChange{Dropped: &dropped})
			case 2:
				_, err = s.RewriteLine(rt.Context(), before.UID, before.ID, before.Revision, line)
				if err == nil {
					require.LessOrEqual(rt, len(keep.draft.Problems()), len(before.Problems()))
				}
			}
			if err != nil {
				require.Equal(rt, before, keep.draft, "what is refused changes nothing")
			}
			holds(rt, keep.draft)
		}
	})
}

// holds compares a draft with what would be spoken.
func holds(rt *rapid.T, d meditation.Draft) {
	spoken := d.Script()
	require.Equal(rt, len(asked(d).Check(spoken)) == 0, len(d.Problems()) == 0)
	var all []string
	var silence time.Duration
	for i, p := range spoken.Passages {
		all = append(all, p.Sentences...)
		silence += p.Pause
		require.Len(rt, p.Common, len(p.Sentences), "passage %d", i)
	}
	require.Equal(rt, brief.CountWords(all), spoken.Words)
	require.Equal(rt, d.Brief.Pause, silence)
	for _, l := range lines(d) {
		if l.Own != "" && !l.Dropped {
			require.False(rt, common(spoken, brief.Sentences(l.Own)[0]), l.Own)
		}
	}
	for _, p := range d.Problems() {
		require.NotEmpty(rt, p.Message, p.Reason)
		if p.Line > 0 {
			require.LessOrEqual(rt, p.Line, len(lines(d)))
		}
	}
}

// common says that a sentence is only said as one that is everybody's.
func common(s recording.Script, sentence string) bool {
	for _, p := range s.Passages {
		for i, said := range p.Sentences {
			if said == sentence && !p.IsCommon(i) {
				return false
			}
		}
	}
	return true
}
