package web

import (
	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// steps are the same in both contracts by intent; written out so that neither can drift.
var steps = map[webv1.Step]contentv1.Step{
	webv1.Step_STEP_PUBLISH:   contentv1.Step_STEP_PUBLISH,
	webv1.Step_STEP_UNPUBLISH: contentv1.Step_STEP_UNPUBLISH,
	webv1.Step_STEP_ARCHIVE:   contentv1.Step_STEP_ARCHIVE,
	webv1.Step_STEP_UNARCHIVE: contentv1.Step_STEP_UNARCHIVE,
	webv1.Step_STEP_DELETE:    contentv1.Step_STEP_DELETE,
}

// contentKey is the key as content knows it; nil for none.
func contentKey(k *webv1.ItemKey) *contentv1.ItemKey {
	if k == nil {
		return nil
	}
	return &contentv1.ItemKey{Asset: k.GetAsset(), Id: k.GetId()}
}

func contentType(t *contentv1.ContentType) *webv1.ContentType {
	out := &webv1.ContentType{
		Id: t.GetId(), Name: t.GetName(), Description: t.GetDescription(), DisplayField: t.GetDisplayField(), Items: t.GetItems(),
	}
	for _, f := range t.GetFields() {
		out.Fields = append(out.Fields, &webv1.Field{
			Id: f.GetId(), Name: f.GetName(), Type: f.GetType(), LinkType: f.GetLinkType(), ItemsType: f.GetItemsType(),
			Localized: f.GetLocalized(), Required: f.GetRequired(), Disabled: f.GetDisabled(), Validations: f.GetValidations(),
		})
	}
	return out
}

// item of the editor; nil for none.
func item(i *contentv1.Item) *webv1.Item {
	if i == nil {
		return nil
	}
	return &webv1.Item{
		Id: i.GetId(), ContentType: i.GetContentType(), Title: i.GetTitle(), Version: i.GetVersion(),
		PublishedVersion: i.GetPublishedVersion(), Archived: i.GetArchived(), CreatedAt: i.GetCreatedAt(), UpdatedAt: i.GetUpdatedAt(),
		Fields: i.GetFields(), Tags: i.GetTags(), Concepts: i.GetConcepts(),
	}
}

// revision with the name of the member who did it; empty for everybody else.
func revision(r *contentv1.Revision, name string) *webv1.Revision {
	return &webv1.Revision{
		Key:         &webv1.ItemKey{Asset: r.GetKey().GetAsset(), Id: r.GetKey().GetId()},
		ContentType: r.GetContentType(), Title: r.GetTitle(), Version: r.GetVersion(), Act: r.GetAct(),
		Actor: r.GetActor(), ActorName: name, At: r.GetAt(), Changed: r.GetChanged(),
	}
}
