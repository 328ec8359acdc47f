package delivery

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// modelLife is how long content types and locales are used before they are read again.
const modelLife = time.Second

// model is an environment's, with what answers need of each field.
type model struct {
	query.Model

	uses map[string]map[string]use
	read time.Time
}

// use is what an answer does with a field.
type use struct {
	omitted   bool // it is not sent
	links     bool // it may hold links
	localized bool
}

// models keeps the model of each environment for a moment.
type models struct {
	ask    func(ctx context.Context, environment string) (query.Model, error)
	now    func() time.Time
	asking singleflight.Group
	mu     sync.Mutex
	all    map[string]*model
}

// get gives a model that is never older than modelLife. It is read before a request has its turn, so one alone reads it for all that
// wait for it.
func (m *models) get(ctx context.Context, environment string) (*model, error) {
	if known := m.known(environment); known != nil {
		return known, nil
	}
	read := m.asking.DoChan(environment, func() (any, error) { return m.read(ctx, environment) })
	select {
	case result := <-read:
		fresh, _ := result.Val.(*model)
		return fresh, result.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// known returns the cached model, or nil when none is cached or the cached one is older than modelLife.
func (m *models) known(environment string) *model {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := m.all[environment]; known != nil && m.now().Sub(known.read) < modelLife {
		return known
	}
	return nil
}

// read reads a model, unless another request has cached one since get looked. The read survives the request that started it,
// because other requests wait for the same read.
func (m *models) read(ctx context.Context, environment string) (*model, error) {
	if known := m.known(environment); known != nil {
		return known, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	now := m.now()
	asked, err := m.ask(ctx, environment)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		delete(m.all, environment) // it may be gone
		return nil, err
	}
	if m.all == nil {
		m.all = map[string]*model{}
	}
	fresh := newModel(asked, now)
	m.all[environment] = fresh
	return fresh, nil
}

func newModel(asked query.Model, now time.Time) *model {
	m := &model{Model: asked, uses: map[string]map[string]use{"": usesOf(entry.Asset())}, read: now}
	for id, t := range asked.Types {
		m.uses[id] = usesOf(t)
	}
	return m
}

func usesOf(t entry.ContentType) map[string]use {
	all := map[string]use{}
	for _, f := range t.Fields {
		linked := f.Type == entry.LinkType || f.Type == entry.RichText || (f.Type == entry.Array && f.Items != nil && f.Items.Type == entry.LinkType)
		all[f.ID] = use{omitted: f.Omitted, links: linked, localized: f.Localized}
	}
	return all
}
