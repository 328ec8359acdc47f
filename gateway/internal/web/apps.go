package web

import (
	"slices"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// apps are those that may act for a member after these answers, the newest of which comes first.
func apps(answers []*identityv1.AppConsent) []*webv1.App {
	var out []*webv1.App
	ended := map[string]bool{}
	for _, answer := range answers {
		id := answer.GetClientId()
		if ended[id] = ended[id] || answer.GetRevoked(); ended[id] {
			continue
		}
		i := slices.IndexFunc(out, func(app *webv1.App) bool { return app.GetClientId() == id })
		if i < 0 {
			i, out = len(out), append(out, &webv1.App{ClientId: id, Name: answer.GetName()})
		}
		app := out[i]
		app.Since = answer.GetGivenAt()
		for _, permission := range answer.GetPermissions() {
			if !slices.Contains(app.GetPermissions(), permission) {
				app.Permissions = append(app.Permissions, permission)
			}
		}
	}
	return out
}
