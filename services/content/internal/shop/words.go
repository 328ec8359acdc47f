package shop

import "serein.app/services/content/internal/reading"

// Memberships is what stands around the plans.
type Memberships struct {
	Title, Subtitle, Billing, QuestionsTitle string
	Questions                                []Question
}

// Question with its answer, in Markdown.
type Question struct{ Question, Answer string }

// membershipsOf the first page, as Home has one mission: an editor who publishes a second one sees no change.
func membershipsOf(pages, asked []reading.Page) (m Memberships) {
	for _, p := range pages[:min(1, len(pages))] {
		m = Memberships{Title: p.Text("title"), Subtitle: p.Text("subtitle"), Billing: p.Text("billing"), QuestionsTitle: p.Text("faqTitle")}
	}
	for _, q := range asked {
		m.Questions = append(m.Questions, Question{q.Text("question"), q.Text("answer")})
	}
	return m
}

// Apparel is what stands around the products.
type Apparel struct {
	Title, Description string
	Notes              []Note
}

// Note beside the products.
type Note struct{ Title, Text string }

func apparelOf(pages []reading.Page) (a Apparel) {
	for _, p := range pages[:min(1, len(pages))] {
		a = Apparel{Title: p.Text("title"), Description: p.Text("description")}
		for _, note := range p.Objects("notes") {
			title, _ := note["title"].(string)
			text, _ := note["text"].(string)
			a.Notes = append(a.Notes, Note{title, text})
		}
	}
	return a
}
