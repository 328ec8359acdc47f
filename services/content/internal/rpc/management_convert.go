package rpc

import (
	"cmp"
	"encoding/json"

	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/markup"
	store "serein.app/services/content/internal/postgres"
)

func fromProtoKey(k *contentv1.ItemKey) entry.Key {
	key := entry.Key{Environment: environment(k), Kind: entry.KindEntry, ID: k.GetId()}
	if k.GetAsset() {
		key.Kind = entry.KindAsset
	}
	return key
}

func toProtoKey(k entry.Key) *contentv1.ItemKey {
	key := &contentv1.ItemKey{Asset: k.Kind == entry.KindAsset, Id: k.ID}
	if k.Environment != entry.Master {
		key.Environment = k.Environment
	}
	return key
}

// environment that a request names: master where it names none.
func environment(of interface{ GetEnvironment() string }) string {
	return cmp.Or(of.GetEnvironment(), entry.Master)
}

func toProtoEnvironment(e entry.Environment) *contentv1.Environment {
	return &contentv1.Environment{Id: e.ID, CreatedAt: timestamppb.New(e.CreatedAt)}
}

// fromProtoFields reads {"title": {"en-GB": "…"}}, with every text clean.
func fromProtoFields(given *structpb.Struct) (entry.Fields, error) {
	fields := entry.Fields{}
	for id, value := range given.GetFields() {
		locales := value.GetStructValue()
		if locales == nil {
			return nil, entry.Refusal(entry.FieldErrors{{Field: id, Name: "type", Details: "A field has values by locale."}})
		}
		fields[id] = locales.AsMap()
	}
	return fields.Texts(markup.Clean), nil
}

// toProtoItem is the item with its fields.
func toProtoItem(i entry.Item) (*contentv1.Item, error) {
	item := toProtoCard(i)
	fields := make(map[string]any, len(i.Fields))
	for id, locales := range i.Fields {
		fields[id] = locales
	}
	var err error
	item.Fields, err = structpb.NewStruct(fields)
	return item, err
}

// toProtoCard is the item without its fields.
func toProtoCard(i entry.Item) *contentv1.Item {
	return &contentv1.Item{
		Id: i.ID, ContentType: i.ContentType, Title: i.Title, Version: int32(i.Version), PublishedVersion: int32(i.PublishedVersion),
		Archived: !i.ArchivedAt.IsZero(), CreatedAt: timestamppb.New(i.CreatedAt), UpdatedAt: timestamppb.New(i.UpdatedAt),
		Tags: i.Tags, Concepts: i.Concepts,
	}
}

func toProtoType(t entry.ContentType, entries int) (*contentv1.ContentType, error) {
	out := &contentv1.ContentType{
		Id: t.ID, Name: t.Name, Description: t.Description, DisplayField: t.DisplayField, Items: int32(entries),
	}
	for _, f := range t.Fields {
		field, err := toProtoField(f)
		if err != nil {
			return nil, err
		}
		out.Fields = append(out.Fields, field)
	}
	return out, nil
}

func toProtoField(f entry.Field) (*contentv1.Field, error) {
	out := &contentv1.Field{
		Id: f.ID, Name: f.Name, Type: string(f.Type), LinkType: string(f.LinkType), Localized: f.Localized, Required: f.Required, Disabled: f.Disabled,
	}
	rules := f.Validations
	if f.Items != nil {
		out.LinkType, out.ItemsType = string(f.Items.LinkType), string(f.Items.Type)
		rules = append(rules[:len(rules):len(rules)], f.Items.Validations...)
	}
	for _, rule := range rules {
		data, err := json.Marshal(rule)
		if err != nil {
			return nil, err
		}
		validation := &structpb.Struct{}
		if err := validation.UnmarshalJSON(data); err != nil {
			return nil, err
		}
		out.Validations = append(out.Validations, validation)
	}
	return out, nil
}

func toProtoRevision(r store.Revision) *contentv1.Revision {
	return &contentv1.Revision{
		Key: toProtoKey(r.Key), ContentType: r.ContentType, Title: r.Title, Version: int32(r.Version), Act: r.Act, Actor: r.Actor,
		At: timestamppb.New(r.At), Changed: r.Changed,
	}
}
