package auth

import (
	"context"
	"slices"

	"github.com/google/uuid"
)

// Subject is the member that a call is made for, with what they may do just now.
type Subject struct {
	// UID of the member; empty for a call without a member.
	UID string
	// Actor is who acts in the member's stead: an admin's uid or a service account's name; empty
	// where the member acts. Only rules that say Delegated let an actor in.
	Actor string
	// Admin is identity's word.
	Admin bool
	// Entitlements are words of the member's plan: generator, library, articles, journey, top_up.
	Entitlements []string
}

// Entitled says whether the member's plan has that word.
func (s Subject) Entitled(word string) bool { return slices.Contains(s.Entitlements, word) }

type subjectKey struct{}

// WithSubject makes outgoing calls name this member and what they may do. A service that
// answers a member's call does it on that member's behalf already.
func WithSubject(ctx context.Context, s Subject) context.Context {
	return context.WithValue(ctx, subjectKey{}, s)
}

// SubjectFrom gives the member that this call is made for; the zero Subject if the call has no member.
func SubjectFrom(ctx context.Context) Subject {
	s, _ := ctx.Value(subjectKey{}).(Subject)
	return s
}

// WithMember is WithSubject for a member who acts themselves and needs no right of their own.
func WithMember(ctx context.Context, uid string) context.Context {
	if s := SubjectFrom(ctx); s.UID == uid && s.Actor == "" && !s.Admin && len(s.Entitlements) == 0 {
		return ctx
	}
	return WithSubject(ctx, Subject{UID: uid})
}

// Member is the uid that this call is made for; empty if the call has no member.
func Member(ctx context.Context) string { return SubjectFrom(ctx).UID }

// MemberID is Member as a UUID; ErrUnauthenticated if the call has no member or the uid is no UUID.
func MemberID(ctx context.Context) (uuid.UUID, error) {
	uid, err := uuid.Parse(Member(ctx))
	if err != nil {
		return uuid.Nil, ErrUnauthenticated.Because(err)
	}
	return uid, nil
}
