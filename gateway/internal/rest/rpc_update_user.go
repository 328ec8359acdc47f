package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/errs"
)

const consentsField = "consents"

var (
	errOwned   = errs.New(errs.Invalid, errorsv1.Reason_REASON_FIELD_NOT_WRITABLE, "This field is Serein's own. Nothing of this request was applied.")
	errConsent = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CONSENT_REQUIRED, "Serein cannot do without the terms and what is essential: both are given, or consents are left out.").On(consentsField)
	errEbooks  = errs.New(errs.Invalid, errorsv1.Reason_REASON_ITEM_NOT_FOUND, "There are no ebooks to save.").On("savedItems")
)

// UpdateUser changes the caller's name, consents, saved items and favourites. All of it is checked before anything is changed; where a
// later part fails all the same, the answer says what stands, and the same request again does the rest: doing a part twice changes
// nothing. Errors: FIELD_NOT_WRITABLE; USER_NOT_FOUND for another member; CONSENT_REQUIRED; those of identity's ChangeName and
// RecordConsents and of content's ReplaceKept.
func (a *API) UpdateUser(ctx context.Context, req *restv1.UpdateUserRequest) (*restv1.UpdateUserResponse, error) {
	if err := checkUpdate(ctx, req); err != nil {
		return nil, err
	}
	own := callerOf(ctx).uid
	if err := a.identify(ctx, req.GetSavedItems()); err != nil {
		return nil, err
	}
	kept := keptOf(req)
	if kept != nil {
		kept.CheckOnly = true
		if _, err := a.Clients.Items.ReplaceKept(ctx, kept); err != nil {
			return nil, inUpdate(err)
		}
		kept.CheckOnly = false
	}
	err := inTurn(
		part{"name", func() error { return a.rename(ctx, own, req) }},
		part{consentsField, func() error { return a.consent(ctx, req.GetConsents()) }},
		part{"savedItems and favourites", func() error {
			if kept == nil {
				return nil
			}
			_, err := a.Clients.Items.ReplaceKept(ctx, kept)
			return err
		}},
	)
	a.View.Acted(own)
	if err != nil {
		return nil, inUpdate(err)
	}
	updated, err := a.record(ctx, own)
	return &restv1.UpdateUserResponse{UpdatedUser: updated}, err
}

// checkUpdate refuses what can be refused without asking anybody.
func checkUpdate(ctx context.Context, req *restv1.UpdateUserRequest) error {
	if err := valid(req); err != nil {
		return err
	}
	if name := owned(req); name != "" {
		return errOwned.On(name)
	}
	if err := ownOnly(ctx, req.GetUid()); err != nil {
		return err
	}
	if len(req.GetSavedItems().GetEbooks()) > 0 {
		return errEbooks
	}
	if c := req.GetConsents(); c != nil && (!c.GetTermsAndConditions() || !c.GetEssentials()) {
		return errConsent
	}
	return nil
}

// part of a request, by what callers call it.
type part struct {
	name  string
	apply func() error
}

// inTurn applies one part after the other until one fails; then it says which stand.
func inTurn(parts ...part) error {
	var stand []string
	for _, p := range parts {
		err := p.apply()
		if err == nil {
			stand = append(stand, p.name)
			continue
		}
		if len(stand) == 0 {
			return err
		}
		e := *declared(public(err))
		e.Public = fmt.Sprintf("What this request says of %s stands; of %s it does not yet. The same request again does the rest. %s", strings.Join(stand, " and "), p.name, e.Public)
		return &e
	}
	return nil
}

// rename changes the names that are given, where they are others.
func (a *API) rename(ctx context.Context, own string, req *restv1.UpdateUserRequest) error {
	if req.GetFirstName() == "" && req.GetSurName() == "" {
		return nil
	}
	is, err := a.user(ctx, own)
	if err != nil {
		return err
	}
	given, family := cmp.Or(req.GetFirstName(), is.GetGivenName()), cmp.Or(req.GetSurName(), is.GetFamilyName())
	if given == is.GetGivenName() && family == is.GetFamilyName() {
		return nil
	}
	_, err = a.Clients.Credentials.ChangeName(ctx, &identityv1.ChangeNameRequest{GivenName: given, FamilyName: family})
	return err
}

// consent records the answers, to the texts as they are published: who says it through a program has read them there.
func (a *API) consent(ctx context.Context, c *restv1.Consents) error {
	if c == nil {
		return nil
	}
	terms, privacy, err := a.Texts(ctx)
	if err != nil {
		return err
	}
	_, err = a.Clients.Consents.RecordConsents(ctx, &identityv1.RecordConsentsRequest{Answers: []*identityv1.ConsentAnswer{
		{Kind: identityv1.ConsentKind_CONSENT_KIND_TERMS, Given: c.GetTermsAndConditions(), Version: terms},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS, Given: c.GetEssentials(), Version: privacy},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_ANALYTICS, Given: c.GetAnalytics(), Version: privacy},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_MARKETING, Given: c.GetMarketing(), Version: privacy},
	}})
	return err
}

// keptOf is what the request says of saved items and favourites; nil where it says nothing.
func keptOf(req *restv1.UpdateUserRequest) *contentv1.ReplaceKeptRequest {
	saved, liked := req.GetSavedItems(), req.GetFavourites()
	if saved == nil && liked == nil {
		return nil
	}
	out := &contentv1.ReplaceKeptRequest{}
	if saved != nil {
		out.Saved = savedList(saved)
	}
	if liked != nil {
		out.Liked = &contentv1.ItemList{MeditationIds: liked.GetMeditations()}
		for _, id := range liked.GetPublications() {
			out.Liked.Items = append(out.Liked.Items, &contentv1.ItemRef{Kind: contentv1.ItemKind_ITEM_KIND_ARTICLE, Id: id})
		}
	}
	return out
}

// savedList has each meditation as its contentType says, and content looks up those that do not say which they are: the specification's
// word "meditation" is of both.
func savedList(saved *restv1.SavedItems) *contentv1.ItemList {
	list := &contentv1.ItemList{}
	for _, s := range saved.GetPublications() {
		list.Items = append(list.Items, &contentv1.ItemRef{Kind: contentv1.ItemKind_ITEM_KIND_ARTICLE, Id: cmp.Or(s.GetUid(), s.GetId())})
	}
	for _, s := range saved.GetMeditations() {
		id := cmp.Or(s.GetUid(), s.GetId())
		switch kind := tables[s.GetContentType()]; kind {
		case contentv1.ItemKind_ITEM_KIND_MEDITATION, contentv1.ItemKind_ITEM_KIND_BESPOKE:
			list.Items = append(list.Items, &contentv1.ItemRef{Kind: kind, Id: id})
		default:
			list.MeditationIds = append(list.MeditationIds, id)
		}
	}
	return list
}

// updateFields are the names that callers know of what identity and content find fault with.
var updateFields = map[string]string{
	"saved": "savedItems", "liked": "favourites", "given_name": "firstName", "family_name": "surName", "answers": consentsField,
}

// inUpdate names the faulty field of UpdateUser as the caller knows it; of a fault within a list it names the list.
func inUpdate(err error) error {
	e, ok := errors.AsType[*errs.Error](err)
	if !ok {
		return err
	}
	field, _, _ := strings.Cut(e.Field, ".")
	if name, ok := updateFields[field]; ok {
		return e.On(name)
	}
	return err
}

// owned is the first field of the request that the server owns: those are of type Value, whatever
// is written into them.
func owned(req *restv1.UpdateUserRequest) string {
	fields := req.ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if field.Kind() == protoreflect.MessageKind && field.Message().FullName() == "google.protobuf.Value" && req.ProtoReflect().Has(field) {
			return field.JSONName()
		}
	}
	return ""
}
