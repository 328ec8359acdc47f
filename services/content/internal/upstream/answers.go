package upstream

import (
	"net/url"
	"slices"
	"time"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
)

// localesAnswer and typesAnswer are lists, of one page each.
type localesAnswer struct {
	Total int `json:"total"`
	Items []struct {
		Code         string  `json:"code"`
		Name         string  `json:"name"`
		Default      bool    `json:"default"`
		FallbackCode *string `json:"fallbackCode"`
	} `json:"items"`
}

type typesAnswer struct {
	Total int `json:"total"`
	Items []struct {
		Sys struct {
			ID string `json:"id"`
		} `json:"sys"`
		Name         string        `json:"name"`
		Description  string        `json:"description"`
		DisplayField string        `json:"displayField"`
		Fields       []entry.Field `json:"fields"`
	} `json:"items"`
}

// syncAnswer is a page of a sync.
type syncAnswer struct {
	Items       []syncItem `json:"items"`
	NextPageURL string     `json:"nextPageUrl"`
	NextSyncURL string     `json:"nextSyncUrl"`
}

type link struct {
	Sys struct {
		ID string `json:"id"`
	} `json:"sys"`
}

type syncItem struct {
	Sys struct {
		ID          string    `json:"id"`
		Type        string    `json:"type"`
		ContentType *link     `json:"contentType"`
		Revision    int       `json:"revision"`
		CreatedAt   time.Time `json:"createdAt"`
		UpdatedAt   time.Time `json:"updatedAt"`
	} `json:"sys"`
	Metadata struct {
		Tags     []link `json:"tags"`
		Concepts []link `json:"concepts"`
	} `json:"metadata"`
	Fields entry.Fields `json:"fields"`
}

// locales of the answer. One that has no default, or two, cannot be.
func (a localesAnswer) locales() (entry.Locales, error) {
	var all entry.Locales
	defaults := 0
	for _, l := range a.Items {
		locale := entry.Locale{Code: l.Code, Name: l.Name, Default: l.Default}
		if l.FallbackCode != nil {
			locale.Fallback = *l.FallbackCode
		}
		if l.Code == "" || all.Has(l.Code) {
			return nil, errBadUpstream("the locale %q cannot be", l.Code)
		}
		if l.Default {
			defaults++
		}
		all = append(all, locale)
	}
	for _, l := range all {
		if l.Fallback != "" && !all.Has(l.Fallback) {
			return nil, errBadUpstream("the locale %q falls back on one that is not there", l.Code)
		}
	}
	if defaults != 1 || a.Total > len(all) {
		return nil, errBadUpstream("it has %d locales of %d, %d of them the default", len(all), a.Total, defaults)
	}
	return all, nil
}

func (a typesAnswer) types() ([]entry.ContentType, error) {
	if a.Total > len(a.Items) {
		return nil, errBadUpstream("it has %d content types and tells of %d", a.Total, len(a.Items))
	}
	all := make([]entry.ContentType, len(a.Items))
	for i, t := range a.Items {
		all[i] = entry.ContentType{
			Environment: entry.Master, ID: t.Sys.ID, Name: t.Name, Description: t.Description, DisplayField: t.DisplayField, Fields: t.Fields,
		}
		for at := range all[i].Fields {
			tidy(&all[i].Fields[at])
		}
		if err := all[i].Check(); err != nil {
			return nil, errBadUpstream("its content type %q cannot be: %w", t.Sys.ID, err)
		}
	}
	return all, nil
}

// tidy makes of lists without elements none at all, as they are kept.
func tidy(f *entry.Field) {
	if len(f.Validations) == 0 {
		f.Validations = nil
	}
	if f.Items != nil && len(f.Items.Validations) == 0 {
		f.Items.Validations = nil
	}
}

// kinds that a sync tells of, and whether readers get such an item no more.
var kinds = map[string]struct {
	kind    entry.Kind
	deleted bool
}{
	"Entry": {entry.KindEntry, false}, "Asset": {entry.KindAsset, false},
	"DeletedEntry": {entry.KindEntry, true}, "DeletedAsset": {entry.KindAsset, true},
}

func (i syncItem) change() (store.MirrorChange, error) {
	kind, known := kinds[i.Sys.Type]
	if !known || !entry.ValidID(i.Sys.ID) {
		return store.MirrorChange{}, errBadUpstream("a page tells of %.64q, a %.64q", i.Sys.ID, i.Sys.Type)
	}
	change := store.MirrorChange{Deleted: kind.deleted}
	change.Item.Key = entry.Key{Environment: entry.Master, Kind: kind.kind, ID: i.Sys.ID}
	if kind.deleted {
		return change, nil
	}
	if i.Sys.CreatedAt.IsZero() || i.Sys.UpdatedAt.IsZero() || i.Sys.Revision < 0 || i.Sys.Revision > 1<<30 {
		return change, errBadUpstream("%s has no times, or a revision that cannot be", i.Sys.ID)
	}
	if kind.kind == entry.KindEntry {
		if i.Sys.ContentType == nil || !entry.ValidID(i.Sys.ContentType.Sys.ID) {
			return change, errBadUpstream("%s has no content type", i.Sys.ID)
		}
		change.Item.ContentType = i.Sys.ContentType.Sys.ID
	}
	change.Item.Revision, change.Item.Fields = i.Sys.Revision, i.Fields
	change.Item.CreatedAt, change.Item.UpdatedAt = i.Sys.CreatedAt.UTC().Truncate(time.Microsecond), i.Sys.UpdatedAt.UTC().Truncate(time.Microsecond)
	change.Item.Tags, change.Item.Concepts = ids(i.Metadata.Tags), ids(i.Metadata.Concepts)
	if change.Item.Fields == nil {
		change.Item.Fields = entry.Fields{}
	}
	return change, nil
}

func ids(links []link) []string {
	all := make([]string, len(links))
	for i, l := range links {
		all[i] = l.Sys.ID
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// next is where the sync goes on: the token of one of the two addresses, of which nothing else counts.
func (a syncAnswer) next() (token string, ended bool, err error) {
	address := a.NextPageURL
	if ended = address == ""; ended {
		address = a.NextSyncURL
	}
	u, err := url.Parse(address)
	if err == nil {
		token = u.Query().Get("sync_token")
	}
	if token == "" || a.NextPageURL != "" && a.NextSyncURL != "" || len(token) > maxToken {
		return "", false, errBadUpstream("a page of the sync does not say how it goes on")
	}
	return token, ended, nil
}

// maxToken bounds the token of a sync, in bytes.
const maxToken = 16 << 10
