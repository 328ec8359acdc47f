package rpc

import (
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/catalogue"
)

func toProto(c catalogue.Catalogue) *contentv1.GetCatalogueResponse {
	res := &contentv1.GetCatalogueResponse{ImmersiveNarrator: toProtoNarrator(c.Narrators.Immersive)}
	for _, t := range c.Types {
		res.Types = append(res.Types, &contentv1.MeditationType{
			Id: t.ID, Name: t.Name, Description: t.Description, Affirmations: t.Affirmations,
			Narrator: toProtoNarrator(t.Narrator),
		})
	}
	for _, p := range c.Practices {
		res.Practices = append(res.Practices, &contentv1.PracticeType{Id: p.ID, Name: p.Name, Description: p.Description})
	}
	for _, s := range c.Sizes {
		res.Sizes = append(res.Sizes, toProtoSize(s))
	}
	return res
}

func toProtoNarrator(n catalogue.Narrator) *contentv1.Narrator {
	return &contentv1.Narrator{Id: n.ID, Name: n.Name}
}

func toProtoSize(s catalogue.Size) *contentv1.MeditationSize {
	return &contentv1.MeditationSize{
		Id: s.ID, Name: s.Name, Description: s.Description,
		MinWords: int32(s.MinWords), MaxWords: int32(s.MaxWords), Breaks: int32(s.Breaks), PauseSeconds: int32(s.PauseSeconds),
		ExpectedSeconds: int32(s.Expected().Seconds()),
	}
}
