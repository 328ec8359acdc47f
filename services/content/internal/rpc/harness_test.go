package rpc_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/catalogue"
	store "serein.app/services/content/internal/postgres"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/seed"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

var (
	nobody     = auth.Subject{}
	member     = auth.Subject{UID: uuid.NewString()}
	subscriber = auth.Subject{UID: uuid.NewString(), Entitlements: []string{"articles"}}
	listener   = auth.Subject{UID: uuid.NewString(), Entitlements: []string{"library"}}
	admin      = auth.Subject{UID: uuid.NewString(), Admin: true}
)

// harness is the handler on a database with what the editors' files say.
type harness struct {
	testkit.DB
	*handlers.Reading

	store  *store.Store
	stores store.Stores
	// own are the bespoke meditations that there are, with whose they are.
	own map[uuid.UUID]string
	// opened are the entries that were opened without their sound, in their order.
	opened []string
}

// Owns answers as the generation service would.
func (h *harness) Owns(_ context.Context, uid, id uuid.UUID) (bool, error) {
	return h.own[id] == uid.String(), nil
}

func (h *harness) hear(_ context.Context, id string) { h.opened = append(h.opened, id) }

// maxQuotes are enough for the first days of January.
const maxQuotes = 12

func filled(t *testing.T) *harness {
	t.Helper()
	h := &harness{DB: testkit.Postgres(t, "content", store.Migrate)}
	h.stores = store.Open(h.Pool, outbox.New(h.Pool, nil, "content", testkit.Logger(t), time.Now), time.Now)
	h.store = h.stores.Entries
	contents, faults := seeding.Read(seed.FS)
	require.Empty(t, faults)
	for _, contentType := range contents.Types {
		require.NoError(t, h.store.ApplyContentType(t.Context(), contentType.ContentType, contentType.Hash))
	}
	quotes := 0
	for _, item := range contents.Items {
		if item.ContentType == "quote" {
			if quotes++; quotes > maxQuotes {
				continue
			}
		}
		_, err := h.store.Apply(t.Context(), item.Seed)
		require.NoError(t, err)
	}
	offer, err := catalogue.Load()
	require.NoError(t, err)
	h.Reading = handlers.NewReading(h.ports(h.stores, offer))
	return h
}

// ports of the handler on those stores, on the second of January.
func (h *harness) ports(stores store.Stores, offer catalogue.Catalogue) handlers.ReadingPorts {
	return handlers.ReadingPorts{
		Pages: stores.Pages, Kept: stores.Kept, Places: stores.Places, Courses: stores.Courses, Diary: stores.Diary, Filed: stores.Search, Narrations: stores.Narrations, Own: h,
		Narrators: handlers.NewNarrators(offer), Opened: h.hear, Now: func() time.Time { return time.Date(2027, 1, 2, 9, 0, 0, 0, time.UTC) },
	}
}

func reasonOf(err error) errorsv1.Reason { return rpc.Declared(err).Reason }
