package rest

import (
	"context"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/structpb"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

// kind of a catalogue's entry.
type kind int

const (
	kindType kind = iota
	kindPractice
	kindSize
)

// names of the catalogue's entries, both ways.
type names struct {
	byID map[kind]map[string]string
	ids  map[kind]map[string]string // by id and by name, in lower case
}

func (a *API) names(ctx context.Context) (*names, error) {
	found, err := a.Catalogue(ctx)
	if err != nil {
		return nil, err
	}
	n := &names{byID: map[kind]map[string]string{}, ids: map[kind]map[string]string{}}
	for _, t := range found.GetTypes() {
		n.add(kindType, t.GetId(), t.GetName())
	}
	for _, p := range found.GetPractices() {
		n.add(kindPractice, p.GetId(), p.GetName())
	}
	for _, s := range found.GetSizes() {
		n.add(kindSize, s.GetId(), s.GetName())
	}
	return n, nil
}

func (n *names) add(k kind, id, name string) {
	if n.byID[k] == nil {
		n.byID[k], n.ids[k] = map[string]string{}, map[string]string{}
	}
	n.byID[k][id] = name
	n.ids[k][strings.ToLower(name)], n.ids[k][strings.ToLower(id)] = id, id
}

// id of what a caller names by name or id; the text itself where nothing has it, which generation
// then refuses by its own reason.
func (n *names) id(k kind, text string) string {
	if id, ok := n.ids[k][strings.ToLower(strings.TrimSpace(text))]; ok {
		return id
	}
	return text
}

// name of an entry; its id where the catalogue does not know it any more.
func (n *names) name(k kind, id string) string {
	if name, ok := n.byID[k][id]; ok {
		return name
	}
	return id
}

// meditation in the specification's words, without its script.
func (a *API) meditation(m *generationv1.Meditation, n *names, uid, by string) *restv1.Meditation {
	out := &restv1.Meditation{
		Uid: m.GetId(), Id: m.GetId(), Title: m.GetTitle(), Duration: n.name(kindSize, m.GetSizeId()), Immersive: m.GetImmersive(),
		Type: n.name(kindType, m.GetTypeId()), Style: n.name(kindPractice, m.GetPracticeId()),
		CreatedBy: uid, FirebaseId: uid, GeneratedBy: by, CreatedAt: m.GetCreatedAt(), WillDelete: structpb.NewBoolValue(false),
	}
	if at := m.GetDeletesAt(); at != nil {
		out.WillDelete = structpb.NewNumberValue(float64(at.GetSeconds()))
	}
	if m.GetStage() == generationv1.Stage_STAGE_READY {
		out.AudioUrl = a.PublicURL + "/media/meditations/" + m.GetId() + "/audio"
	}
	return out
}

// content of a script: one paragraph a passage.
func content(s *generationv1.Script) string { return strings.Join(s.GetParagraphs(), "\n\n") }

// optionalTime bounds a question for what an answer can do without.
var optionalTime = deadline.Of(2 * time.Second)

// givenName of the member; empty while identity does not say. Errors: USER_NOT_FOUND for another than
// the caller whom identity does not know. A caller may be of a provider that is not ours.
func (a *API) givenName(ctx context.Context, uid string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, optionalTime)
	defer cancel()
	u, err := a.user(ctx, uid)
	if err != nil && errs.KindOf(err) == errs.NotFound && uid != callerOf(ctx).uid {
		return "", errUser.Because(err)
	}
	if err != nil {
		a.without(ctx, "a given name", err)
	}
	return u.GetGivenName(), nil
}
