package rpc

import (
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/title"
)

func toProto(m meditation.Meditation) *generationv1.Meditation {
	return &generationv1.Meditation{
		Id: m.ID.String(), Title: m.Name(), TypeId: m.TypeID, PracticeId: m.PracticeID, SizeId: m.SizeID,
		Immersive: m.Immersive, TrackId: m.TrackID, NarratorName: m.NarratorName,
		CreatedAt: timestamppb.New(m.CreatedAt), Stage: events.Stage(m.State),
		Words: int32(m.Words), PassagesDone: int32(m.PassagesDone), PassagesTotal: int32(m.PassagesTotal),
		ReadyMs: m.ReadyFor.Milliseconds(), ExpectedMs: m.Expected.Milliseconds(),
		Cost: int32(m.Cost), FailureReason: m.FailureReason, EndedEarly: m.EndedEarly, DeletesAt: orAbsent(m.DeletesAt),
		GivenName: m.GivenName, KeptInside: m.KeepInside,
	}
}

// orAbsent gives nothing for the zero time.
func orAbsent(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

func toProtoBalance(b *meditation.Balance) *billingv1.Balance {
	if b == nil {
		return nil
	}
	return &billingv1.Balance{PlanAvailable: b.Plan, TopUpAvailable: b.TopUp, Held: b.Held}
}

// withTerms adds what stopping the work would mean.
func withTerms(m *generationv1.Meditation, terms *meditation.CancelTerms) *generationv1.Meditation {
	if terms != nil {
		m.CancelTerms = &generationv1.CancelTerms{Price: int32(terms.Price), FreeLeft: int32(terms.FreeLeft)}
	}
	return m
}

// withTomorrow adds a title for another one on the next day. A new title does not change what is spoken: where the first one needs care,
// nothing follows.
func withTomorrow(out *generationv1.Meditation, m meditation.Meditation) *generationv1.Meditation {
	if m.State == meditation.Ready && safety.Classify(m.Title).Quotable() {
		out.TomorrowTitle = title.Tomorrow(m.Name())
	}
	return out
}

func toProtoScript(s recording.Script) *generationv1.Script {
	out := &generationv1.Script{Paragraphs: make([]string, len(s.Passages))}
	for i, p := range s.Passages {
		out.Paragraphs[i] = strings.Join(p.Sentences, " ")
	}
	return out
}

func toProtoSegments(segments []recording.Segment) []*generationv1.Segment {
	out := make([]*generationv1.Segment, len(segments))
	for i, s := range segments {
		out[i] = &generationv1.Segment{
			Index: int32(s.Index), StartMs: s.Start.Milliseconds(), DurationMs: s.Duration.Milliseconds(),
			SilenceMs: s.Silence.Milliseconds(), Lines: toProtoLines(s.Lines),
		}
	}
	return out
}

func toProtoLines(lines []recording.Line) []*generationv1.Line {
	out := make([]*generationv1.Line, len(lines))
	for i, l := range lines {
		out[i] = &generationv1.Line{Text: l.Text, StartMs: l.Start.Milliseconds(), EndMs: l.End.Milliseconds()}
	}
	return out
}
