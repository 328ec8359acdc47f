package postgres

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/generation/internal/recording"
)

func toMeditation(r sqlcgen.Meditation) (m meditation.Meditation, err error) {
	brief, own, err := toBrief(r.Brief)
	return meditation.Meditation{
		ID: r.ID, UID: r.Uid,
		Request: meditation.Request{
			Title: r.Title, TypeID: r.TypeID, PracticeID: r.PracticeID, SizeID: r.SizeID,
			Immersive: r.Immersive, TrackID: r.TrackID, Day: r.Day.Format(time.DateOnly), Key: orNil(r.IdempotencyKey),
			AskedNarratorID: r.AskedNarratorID, GivenName: own.GivenName, Language: r.Language, KeepInside: r.KeptInside,
			DraftID: own.Draft, DraftRevision: own.DraftRevision,
		},
		NarratorID: r.NarratorID, NarratorName: r.NarratorName, Cost: int(r.Cost), HoldID: orNil(r.HoldID),
		State: meditation.State(r.State), FailureReason: r.FailureReason,
		Words: int(r.Words), PassagesDone: int(r.PassagesDone), PassagesTotal: int(r.PassagesTotal),
		ReadyFor: micros(r.ReadyUs), Expected: micros(r.ExpectedUs), AudioBytes: r.AudioBytes,
		EndedEarly: r.EndedEarly, Attempt: int(r.Attempt), Tries: int(r.Tries), Crashes: int(r.Crashes), Reconciled: r.Reconciled,
		CreatedAt: r.CreatedAt.UTC(), Deadline: r.Deadline.UTC(), Version: r.Version, Brief: brief,
		NewTitle: r.NewTitle, DeletesAt: orZero(r.DeletesAt),
	}, err
}

// toListed gives what List reads: what a card shows of a meditation, and not what work on it needs.
func toListed(uid uuid.UUID, r sqlcgen.ListRow) meditation.Meditation {
	return meditation.Meditation{
		ID: r.ID, UID: uid,
		Request: meditation.Request{
			Title: r.Title, TypeID: r.TypeID, PracticeID: r.PracticeID, SizeID: r.SizeID,
			Immersive: r.Immersive, TrackID: r.TrackID, GivenName: r.GivenName, KeepInside: r.KeptInside,
		},
		NarratorName: r.NarratorName, Cost: int(r.Cost), State: meditation.State(r.State), FailureReason: r.FailureReason,
		Words: int(r.Words), PassagesDone: int(r.PassagesDone), PassagesTotal: int(r.PassagesTotal),
		ReadyFor: micros(r.ReadyUs), Expected: micros(r.ExpectedUs), EndedEarly: r.EndedEarly,
		CreatedAt: r.CreatedAt.UTC(), NewTitle: r.NewTitle, DeletesAt: orZero(r.DeletesAt),
	}
}

func toMeditations(rows []sqlcgen.Meditation) ([]meditation.Meditation, error) {
	out := make([]meditation.Meditation, len(rows))
	var err error
	for i, r := range rows {
		if out[i], err = toMeditation(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func toSegment(r sqlcgen.Segment) (recording.Segment, error) {
	var lines []line
	if err := json.Unmarshal(r.Lines, &lines); err != nil {
		return recording.Segment{}, fmt.Errorf("lines of segment %d: %w", r.Index, err)
	}
	s := recording.Segment{
		Index: int(r.Index), Start: micros(r.StartUs), Duration: micros(r.DurationUs), Silence: micros(r.SilenceUs),
		Lines: make([]recording.Line, len(lines)), BlobKey: r.BlobKey, Offset: r.ByteOffset, Bytes: r.Bytes,
	}
	for i, l := range lines {
		s.Lines[i] = recording.Line{Text: l.Text, Start: micros(l.StartUs), End: micros(l.EndUs)}
	}
	return s, nil
}

func toSegments(rows []sqlcgen.Segment) (_ []recording.Segment, err error) {
	out := make([]recording.Segment, len(rows))
	for i, r := range rows {
		if out[i], err = toSegment(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// brief, line and passage are the shapes of the jsonb columns.
type brief struct {
	MinWords     int      `json:"min_words"`
	MaxWords     int      `json:"max_words"`
	Breaks       int      `json:"breaks"`
	PauseUs      int64    `json:"pause_us"`
	Affirmations []string `json:"affirmations"`
	// GivenName is the member's, and removed when the meditation is purged.
	GivenName string `json:"given_name,omitempty"`
	// Draft is the draft that is narrated, with its revision.
	Draft         uuid.UUID `json:"draft,omitzero"`
	DraftRevision int       `json:"draft_revision,omitzero"`
}

// toBrief answers what the catalogue asked, and own, which has what the request says beside.
func toBrief(data []byte) (_ meditation.Brief, own brief, _ error) {
	var b brief
	if err := json.Unmarshal(data, &b); err != nil {
		return meditation.Brief{}, b, fmt.Errorf("brief: %w", err)
	}
	return meditation.Brief{
		MinWords: b.MinWords, MaxWords: b.MaxWords, Breaks: b.Breaks,
		Pause: micros(b.PauseUs), Affirmations: b.Affirmations,
	}, b, nil
}

func fromBrief(m meditation.Meditation) ([]byte, error) {
	b := m.Brief
	return json.Marshal(brief{
		MinWords: b.MinWords, MaxWords: b.MaxWords, Breaks: b.Breaks,
		PauseUs: b.Pause.Microseconds(), Affirmations: b.Affirmations, GivenName: m.GivenName,
		Draft: m.DraftID, DraftRevision: m.DraftRevision,
	})
}

type line struct {
	Text    string `json:"text"`
	StartUs int64  `json:"start_us"`
	EndUs   int64  `json:"end_us"`
}

type passage struct {
	Sentences []string `json:"sentences"`
	Common    []bool   `json:"shared,omitempty"` // the name in the scripts that are stored
	PauseUs   int64    `json:"pause_us"`
}

func fromLines(lines []recording.Line) ([]byte, error) {
	out := make([]line, len(lines))
	for i, l := range lines {
		out[i] = line{Text: l.Text, StartUs: l.Start.Microseconds(), EndUs: l.End.Microseconds()}
	}
	return json.Marshal(out)
}

func fromPassages(passages []recording.Passage) ([]byte, error) {
	out := make([]passage, len(passages))
	for i, p := range passages {
		out[i] = passage{Sentences: p.Sentences, Common: p.Common, PauseUs: p.Pause.Microseconds()}
	}
	return json.Marshal(out)
}

func toPassages(data []byte) ([]recording.Passage, error) {
	var rows []passage
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("passages: %w", err)
	}
	out := make([]recording.Passage, len(rows))
	for i, p := range rows {
		out[i] = recording.Passage{Sentences: p.Sentences, Common: p.Common, Pause: micros(p.PauseUs)}
	}
	return out, nil
}

func micros(us int64) time.Duration { return time.Duration(us) * time.Microsecond }

// orZero gives the zero time for NULL.
func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// orNil gives uuid.Nil for NULL.
func orNil(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}
