package meditation

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/pagetoken"
)

// tokenBytes are the random bytes of a link: 192 bits.
const tokenBytes = 24

// Share is a running link. Everybody who has it can listen to its meditation.
type Share struct {
	MeditationID, UID uuid.UUID
	// Token stands in the link. Empty where it cannot be shown again.
	Token string
	// Hash is how the link is found, and Sealed the token as it is kept for its owner.
	Hash, Sealed []byte
	// ShownName is whose name it shows; empty for nobody's.
	ShownName string
	CreatedAt time.Time
}

// Shares keeps running links. Each method is one transaction.
type Shares interface {
	// PutShare keeps the link if judge agrees, who sees the meditation as it is; nothing changes meanwhile. Where one runs,
	// that one stays, with the name of the new one. ErrNotFound for what is not the owner's.
	PutShare(ctx context.Context, s Share, judge func(Meditation) error) (Share, error)
	// ShareOf answers the owner's link of a meditation; ErrShareNotFound.
	ShareOf(ctx context.Context, uid, id uuid.UUID) (Share, error)
	// SharesOf answers so many at most of the member's links, in the order of meditations, from behind that one.
	SharesOf(ctx context.Context, uid, after uuid.UUID, most int) ([]Share, error)
	EndShare(ctx context.Context, id uuid.UUID) error
	// Shared finds what a link leads to; ErrShareNotFound.
	Shared(ctx context.Context, hash []byte) (Meditation, Share, error)
}

// Sealer makes the tokens of links unreadable in the database.
type Sealer interface {
	Seal(name string, v any) ([]byte, error)
	Open(name string, sealed []byte, v any) error
}

// Share makes the link of the owner's meditation, or has the running one show another name. Errors: ErrNotFound, ErrUnshareable,
// ErrMarked, ErrDeleted.
func (s *Service) Share(ctx context.Context, uid, id uuid.UUID, shownName string) (Share, error) {
	random := make([]byte, tokenBytes)
	_, _ = rand.Read(random) // never fails
	token := base64.RawURLEncoding.EncodeToString(random)
	sealed, err := s.Sealer.Seal(id.String(), token)
	if err != nil {
		return Share{}, err
	}
	share, err := s.Store.PutShare(ctx, Share{
		MeditationID: id, UID: uid, Hash: hashOf(token), Sealed: sealed, ShownName: shownName, CreatedAt: s.Now(),
	}, s.shareable)
	return s.withToken(share), err
}

// shareable refuses what has no sound, and what is about to go.
func (s *Service) shareable(m Meditation) error {
	if m.State != Ready && m.State != Deleted {
		return ErrUnshareable
	}
	return s.changeable(m)
}

// ShareOf answers the running link of the owner's meditation. Errors: ErrNotFound; ErrShareNotFound for a meditation without a link.
func (s *Service) ShareOf(ctx context.Context, uid, id uuid.UUID) (Share, error) {
	if _, err := s.Store.Get(ctx, uid, id); err != nil {
		return Share{}, err
	}
	share, err := s.Store.ShareOf(ctx, uid, id)
	return s.withToken(share), err
}

// ListShares answers a page of the member's running links, and what names the next one. Error: pagetoken.ErrInvalid.
func (s *Service) ListShares(ctx context.Context, uid uuid.UUID, size int, token string) (page []Share, next string, err error) {
	if size <= 0 {
		size = defaultPage
	}
	size = min(size, maxPage)
	after, err := pagetoken.Decode(token, uuid.Nil)
	if err != nil {
		return nil, "", err
	}
	page, err = s.Store.SharesOf(ctx, uid, after, size+1)
	for i := range page {
		page[i] = s.withToken(page[i])
	}
	if err != nil || len(page) <= size {
		return page, "", err
	}
	return page[:size], pagetoken.Encode(page[size-1].MeditationID), nil
}

// EndShare ends the link of the owner's meditation, if there is one. ErrNotFound.
func (s *Service) EndShare(ctx context.Context, uid, id uuid.UUID) error {
	if _, err := s.Store.Get(ctx, uid, id); err != nil {
		return err
	}
	return s.Store.EndShare(ctx, id)
}

// OpenShare answers what a link leads to, with what is spoken. ErrShareNotFound.
func (s *Service) OpenShare(ctx context.Context, token string) (Meditation, Share, []recording.Segment, error) {
	m, share, err := s.Store.Shared(ctx, hashOf(token))
	if err != nil {
		return Meditation{}, Share{}, nil, err
	}
	segments, err := s.Store.Segments(ctx, m.ID, 0)
	return m, share, segments, err
}

// OpenSharedAudio opens the recording that a link leads to. ErrShareNotFound.
func (s *Service) OpenSharedAudio(ctx context.Context, token string) (io.ReadSeekCloser, error) {
	m, _, err := s.Store.Shared(ctx, hashOf(token))
	if err != nil {
		return nil, err
	}
	return s.openWhole(ctx, m)
}

// withToken adds what stands in the link. A link that was sealed with a key that is gone runs without it.
func (s *Service) withToken(share Share) Share {
	if share.Sealed == nil || s.Sealer.Open(share.MeditationID.String(), share.Sealed, &share.Token) != nil {
		share.Token = ""
	}
	return share
}

// hashOf is how a link is found: by the hash, the time of the search tells nothing of the token.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
