package delivery

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// Limits of a page of a sync.
const (
	syncLimit    = 100
	maxSyncLimit = 1000
)

// syncState is what a sync token holds: which sync it is, and how far it has come.
type syncState struct {
	Type        string `json:"t,omitempty"`
	ContentType string `json:"c,omitempty"`
	Limit       int    `json:"l"`
	// After is the last change that was told. UpTo is where the first round ends: what has changed since it
	// began belongs to the next, with its deletions. 0 once the first round is over.
	After int64 `json:"a"`
	UpTo  int64 `json:"u,omitempty"`
	// At is when the round began, in seconds since 1970.
	At int64 `json:"s"`
}

// syncKinds are what each type of sync tells: items, and deletions.
var syncKinds = map[string]struct{ published, deleted []entry.Kind }{
	"all":          {both, both},
	"Entry":        {both[:1], both[:1]}, // who follows a type learns what is gone of it
	"Asset":        {both[1:], both[1:]},
	"Deletion":     {nil, both},
	"DeletedEntry": {nil, both[:1]},
	"DeletedAsset": {nil, both[1:]},
}

var both = []entry.Kind{entry.KindEntry, entry.KindAsset}

// syncName binds a sync token to its environment. For a copy of master it includes the time of creation: a copy that was deleted
// and created again cannot report the items of the deleted copy.
func syncName(r *request) string {
	if r.environment == entry.Master {
		return "sync " + r.environment
	}
	return "sync " + r.environment + " " + strconv.FormatInt(r.model.CreatedAt.UnixMicro(), 10)
}

// sync answers a page of changes, with the address of the next page or of the next round.
func (h *Handler) sync(r *request, w *out) error {
	state, err := h.syncState(r)
	if err != nil {
		return err
	}
	kinds := syncKinds[state.Type]
	ask := query.Changes{
		Published: kinds.published, Deleted: kinds.deleted, ContentType: state.ContentType, After: state.After, UpTo: state.UpTo, Limit: state.Limit,
	}
	first := state.UpTo > 0
	if first && len(ask.Published) > 0 {
		ask.Deleted = nil // a reader that starts has nothing to delete
	}
	changes, err := h.Store.Changes(r.Context(), r.environment, ask)
	if err != nil {
		return err
	}
	w.list()
	w.name("items")
	w.open('[')
	told := h.itemWriter(r, w, &query.Query{Locale: query.AllLocales}).changes(changes[:min(len(changes), state.Limit)])
	w.close(']')
	link := "nextSyncUrl"
	switch {
	case told < len(changes):
		link, state.After = "nextPageUrl", changes[told-1].Seq
	case first:
		state.After, state.UpTo = state.UpTo, 0
	case told > 0:
		state.After = changes[told-1].Seq
	}
	if link == "nextSyncUrl" {
		state.At = h.Now().Unix()
	}
	token, err := h.sealed(syncName(r), state)
	w.name(link)
	w.text(h.URL + r.URL.Path + "?sync_token=" + token)
	w.close('}')
	return err
}

// roomForLink is what a page of a sync needs beside its items, in bytes.
const roomForLink = 4 << 10

// changes writes as many changes as one answer may hold, at least one, and returns their number. The reader of a sync cannot ask
// for smaller pages, and would be stuck at a page that this service refuses.
func (w *itemWriter) changes(changes []query.Change) int {
	for i, c := range changes {
		before := len(w.b)
		w.change(c)
		if i > 0 && len(w.b) > maxBody-roomForLink {
			w.b = w.b[:before]
			return i
		}
	}
	return len(changes)
}

// change writes the item, or its deletion.
func (w *itemWriter) change(c query.Change) {
	if c.DeletedAt.IsZero() {
		w.item(c.Item, nil)
		return
	}
	w.raw(`{"sys":{"type":"Deleted` + string(c.Kind) + `","id":`)
	w.text(c.ID)
	w.place(nil)
	w.name("revision")
	w.number(c.Revision)
	w.name("createdAt")
	w.moment(c.CreatedAt)
	w.name("updatedAt")
	w.moment(c.DeletedAt)
	w.name("deletedAt")
	w.moment(c.DeletedAt)
	w.b = append(w.b, '}', '}')
}

// syncState reads what sync is asked for: one that goes on by its token alone, or a first one.
func (h *Handler) syncState(r *request) (s syncState, err error) {
	if token := r.values.Get("sync_token"); token != "" {
		if len(r.values) > 1 || len(r.values["sync_token"]) > 1 {
			return s, badRequest("When passing a sync token you can not pass any other parameters. " +
				"If you want to sync only a specific type, content_type or limit, start a new sync with \"initial\".")
		}
		return h.syncToken(r, token)
	}
	if r.values.Get("initial") != "true" {
		return s, badRequest("A sync needs initial=true or a sync_token.")
	}
	return h.firstSync(r)
}

func (h *Handler) syncToken(r *request, token string) (s syncState, err error) {
	if h.unseal(syncName(r), token, &s) != nil {
		return s, badRequest("The sync token is not valid. Please start a new sync with \"initial\".")
	}
	if h.Now().Sub(time.Unix(s.At, 0)) > h.TokenLife {
		return s, badRequest("The sync token is too old. Please start a new sync with \"initial\".")
	}
	return s, nil
}

func (h *Handler) firstSync(r *request) (s syncState, err error) {
	s = syncState{Type: "all", Limit: syncLimit, At: h.Now().Unix()}
	for _, name := range slices.Sorted(maps.Keys(r.values)) {
		value := r.values.Get(name)
		switch name {
		case "initial":
		case "type":
			if s.Type = value; syncKinds[value].published == nil && syncKinds[value].deleted == nil {
				return s, badRequest("The type of a sync is all, Asset, Entry, Deletion, DeletedAsset or DeletedEntry.")
			}
		case "content_type":
			if s.ContentType = value; !r.knowsType(value) {
				return s, &query.Error{ID: query.InvalidQuery, Message: "There is no such content type.", Details: []query.Detail{{Name: "unknownContentType", Value: value}}}
			}
		case "limit":
			if s.Limit, err = strconv.Atoi(value); err != nil || s.Limit < 1 || s.Limit > maxSyncLimit {
				return s, badRequest("limit is a whole number from 1 to 1000.")
			}
		default:
			return s, badRequest("A first sync has no parameter " + strconv.Quote(name) + ".")
		}
	}
	if s.ContentType != "" && !r.values.Has("type") {
		s.Type = "Entry"
	}
	if s.ContentType != "" && s.Type != "Entry" {
		return s, badRequest("When using the content_type filter your type parameter cannot be different from Entry.")
	}
	s.UpTo, err = h.Store.Latest(r.Context(), r.environment)
	return s, err
}

func (r *request) knowsType(id string) bool {
	_, ok := r.model.Types[id]
	return ok
}
