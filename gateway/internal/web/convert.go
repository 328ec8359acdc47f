package web

import (
	"fmt"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

func fromCatalogue(c *contentv1.GetCatalogueResponse) *cachedCatalogue {
	out := &cachedCatalogue{raw: c, names: map[string]string{}, trackByID: map[string]*webv1.AmbientTrack{}}
	for _, s := range c.GetSizes() {
		out.names["size/"+s.GetId()] = s.GetName()
		out.sizes = append(out.sizes, &webv1.MeditationSize{
			Id: s.GetId(), Name: s.GetName(), Description: s.GetDescription(),
			ExpectedSeconds: s.GetExpectedSeconds(), MinWords: s.GetMinWords(), MaxWords: s.GetMaxWords(),
			Breaks: s.GetBreaks(), PauseSeconds: s.GetPauseSeconds(),
		})
	}
	for _, t := range c.GetTypes() {
		out.names["type/"+t.GetId()] = t.GetName()
		out.types = append(out.types, &webv1.MeditationType{
			Id: t.GetId(), Name: t.GetName(), Description: t.GetDescription(), NarratorName: t.GetNarrator().GetName(), NarratorId: t.GetNarrator().GetId(),
		})
	}
	for _, p := range c.GetPractices() {
		out.names["practice/"+p.GetId()] = p.GetName()
		out.practices = append(out.practices, &webv1.PracticeType{Id: p.GetId(), Name: p.GetName(), Description: p.GetDescription()})
	}
	for _, t := range c.GetTracks() {
		track := &webv1.AmbientTrack{
			Id: t.GetId(), Name: t.GetName(), Url: "/media/" + t.GetPath(),
			LoopStartMs: t.GetLoopStartMs(), LoopLengthMs: t.GetLoopLengthMs(),
		}
		out.trackByID[track.GetId()] = track
		out.tracks = append(out.tracks, track)
	}
	return out
}

// name of a size, type or practice; its id where the catalogue does not know it (any more).
func (c *cachedCatalogue) name(kind, id string) string {
	if name, ok := c.names[kind+"/"+id]; ok {
		return name
	}
	return id
}

// stages are the same in both contracts by intent; written out so that neither can drift.
var stages = map[generationv1.Stage]webv1.Stage{
	generationv1.Stage_STAGE_LISTENING: webv1.Stage_STAGE_LISTENING,
	generationv1.Stage_STAGE_WRITING:   webv1.Stage_STAGE_WRITING,
	generationv1.Stage_STAGE_NARRATING: webv1.Stage_STAGE_NARRATING,
	generationv1.Stage_STAGE_FINISHING: webv1.Stage_STAGE_FINISHING,
	generationv1.Stage_STAGE_READY:     webv1.Stage_STAGE_READY,
	generationv1.Stage_STAGE_FAILED:    webv1.Stage_STAGE_FAILED,
	generationv1.Stage_STAGE_CANCELLED: webv1.Stage_STAGE_CANCELLED,
	generationv1.Stage_STAGE_REFUNDED:  webv1.Stage_STAGE_REFUNDED,
	generationv1.Stage_STAGE_DELETED:   webv1.Stage_STAGE_DELETED,
}

// ended says whether the work on a meditation is over.
func ended(s generationv1.Stage) bool {
	switch s { //nolint:exhaustive // everything else goes on
	case generationv1.Stage_STAGE_READY, generationv1.Stage_STAGE_FAILED, generationv1.Stage_STAGE_CANCELLED,
		generationv1.Stage_STAGE_REFUNDED, generationv1.Stage_STAGE_DELETED:
		return true
	}
	return false
}

func (c *cachedCatalogue) meditation(m *generationv1.Meditation) *webv1.Meditation {
	if m == nil {
		return nil
	}
	out := &webv1.Meditation{
		Id: m.GetId(), Title: m.GetTitle(), TypeId: m.GetTypeId(),
		TypeName: c.name("type", m.GetTypeId()), PracticeName: c.name("practice", m.GetPracticeId()),
		SizeName: c.name("size", m.GetSizeId()), Immersive: m.GetImmersive(),
		NarratorName: m.GetNarratorName(), CreatedAt: m.GetCreatedAt(), Stage: stages[m.GetStage()],
		Words: m.GetWords(), PassagesDone: m.GetPassagesDone(), PassagesTotal: m.GetPassagesTotal(),
		ReadyMs: m.GetReadyMs(), ExpectedMs: m.GetExpectedMs(), Cost: m.GetCost(),
		EndedEarly: m.GetEndedEarly(), DeletesAt: m.GetDeletesAt(), TomorrowTitle: m.GetTomorrowTitle(),
	}
	if t := m.GetCancelTerms(); t != nil {
		out.CancelTerms = &webv1.CancelTerms{Price: t.GetPrice(), FreeLeft: t.GetFreeLeft()}
	}
	if m.GetImmersive() {
		out.Track = c.trackByID[m.GetTrackId()]
	}
	switch m.GetStage() { //nolint:exhaustive // only an end has more to say
	case generationv1.Stage_STAGE_READY:
		out.AudioUrl = audioURL(m.GetId())
	case generationv1.Stage_STAGE_FAILED:
		out.FailureMessage = failureMessage(m.GetFailureReason())
	case generationv1.Stage_STAGE_REFUNDED:
		out.FailureMessage = refundMessage(m.GetCost())
	}
	return out
}

func audioURL(id string) string { return "/media/meditations/" + id + "/audio" }

func segments(id string, in []*generationv1.Segment) []*webv1.Segment {
	out := make([]*webv1.Segment, 0, len(in))
	for _, s := range in {
		out = append(out, &webv1.Segment{
			Index: s.GetIndex(), StartMs: s.GetStartMs(), DurationMs: s.GetDurationMs(),
			SilenceMs: s.GetSilenceMs(), Lines: lines(s.GetLines()),
			AudioUrl: fmt.Sprintf("/media/meditations/%s/segments/%d", id, s.GetIndex()),
		})
	}
	return out
}

func lines(in []*generationv1.Line) []*webv1.Line {
	out := make([]*webv1.Line, 0, len(in))
	for _, l := range in {
		out = append(out, &webv1.Line{Text: l.GetText(), StartMs: l.GetStartMs(), EndMs: l.GetEndMs()})
	}
	return out
}

func credits(b *billingv1.Balance) *webv1.Credits {
	if b == nil {
		return nil
	}
	return &webv1.Credits{Plan: b.GetPlanAvailable(), TopUp: b.GetTopUpAvailable(), Held: b.GetHeld()}
}

func plan(s *billingv1.Subscription) *webv1.Plan {
	if s == nil {
		return nil
	}
	out := &webv1.Plan{
		Id: s.GetPlanId(), Name: s.GetPlanName(), EndsAt: s.GetEndsAt(), Active: s.GetActive(),
		Kind: planKinds[s.GetPlanKind()], Entitlements: s.GetEntitlements(), Renews: s.GetRenews(),
	}
	if s.GetStatus() == billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_GRACE {
		out.GraceUntil = s.GetAccessUntil()
	}
	return out
}

// planKinds are the same in both contracts by intent; written out so that neither can drift.
var planKinds = map[billingv1.PlanKind]webv1.PlanKind{
	billingv1.PlanKind_PLAN_KIND_TRIAL:    webv1.PlanKind_PLAN_KIND_TRIAL,
	billingv1.PlanKind_PLAN_KIND_MEMBER:   webv1.PlanKind_PLAN_KIND_MEMBER,
	billingv1.PlanKind_PLAN_KIND_GENERATE: webv1.PlanKind_PLAN_KIND_GENERATE,
	billingv1.PlanKind_PLAN_KIND_ENQUIRY:  webv1.PlanKind_PLAN_KIND_ENQUIRY,
}

// trialOffer is what a new member gets by a plan; nil for all plans but the trial.
func trialOffer(p *billingv1.Plan) *webv1.TrialOffer {
	if p.GetKind() != billingv1.PlanKind_PLAN_KIND_TRIAL {
		return nil
	}
	return &webv1.TrialOffer{Days: p.GetTrialDays(), InvitedDays: p.GetInvitedTrialDays(), Credits: p.GetTrialCredits()}
}

func consents(in []*identityv1.Consent) *webv1.Consents {
	out := &webv1.Consents{}
	for _, c := range in {
		switch c.GetKind() { //nolint:exhaustive // the age is asked once, at sign-up
		case identityv1.ConsentKind_CONSENT_KIND_TERMS:
			if out.Terms = c.GetGiven(); out.GetTerms() {
				out.TermsVersion = c.GetVersion()
			}
		case identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS:
			out.Essentials = c.GetGiven()
		case identityv1.ConsentKind_CONSENT_KIND_ANALYTICS:
			out.Analytics = c.GetGiven()
		case identityv1.ConsentKind_CONSENT_KIND_MARKETING:
			out.Marketing = c.GetGiven()
		}
	}
	return out
}
