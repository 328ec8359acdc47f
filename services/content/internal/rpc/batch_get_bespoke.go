package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// BatchGetBespoke answers how meditations of the member's own are filed, and what was done with them.
func (r *Reading) BatchGetBespoke(ctx context.Context, req *contentv1.BatchGetBespokeRequest) (*contentv1.BatchGetBespokeResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	filed, err := r.ports.Filed.BespokeCategories(ctx, uid, req.GetIds())
	if err != nil {
		return nil, err
	}
	asked := reading.SurroundingsAsked{UID: uid, Categories: true}
	for id := range filed {
		asked.Cards = append(asked.Cards, reading.Card{Kind: reading.Bespoke, ID: id})
	}
	around, err := r.ports.Pages.Surroundings(ctx, asked)
	if err != nil {
		return nil, err
	}
	names, standings := namesOf(around.Categories), around.Standings[reading.Bespoke]
	res := &contentv1.BatchGetBespokeResponse{}
	for id, under := range filed {
		item := &contentv1.BespokeItem{Id: id, Standing: toProtoStanding(standings[id])}
		for _, category := range under {
			if name, known := names[category]; known {
				item.Categories = append(item.Categories, &contentv1.Category{Id: category, Name: name})
			}
		}
		res.Items = append(res.Items, item)
	}
	return res, nil
}
