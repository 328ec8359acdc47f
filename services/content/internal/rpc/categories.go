package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
)

// namesOf categories by their ids.
func namesOf(categories []reading.Page) map[string]string {
	names := make(map[string]string, len(categories))
	for _, c := range categories {
		names[c.ID] = c.Text("name")
	}
	return names
}

// inOrder are the entries of a content type by their field "order".
func (r *Reading) inOrder(ctx context.Context, contentType string) ([]reading.Page, error) {
	pages, err := r.ports.Pages.Pages(ctx, contentType)
	return reading.InOrder(pages), err
}

// counting says which lists have to be counted for the numbers beside a list and its categories.
type counting struct {
	filter     reading.Filter
	more       []reading.Filter
	categories []reading.Page
}

// lists are their names: of the filter, also in each category, and of the other filters.
func (c counting) lists() (names []string) {
	for _, category := range c.categories {
		names = append(names, c.in(category).Name())
	}
	for _, f := range append(c.more, c.filter) {
		names = append(names, f.Name())
	}
	return names
}

func (c counting) in(category reading.Page) reading.Filter {
	of := c.filter
	of.Category = category.ID
	return of
}

// filled are the categories that the filter shows anything of.
func (c counting) filled(counts map[string]int) (filled []*contentv1.CategoryCount) {
	for _, category := range c.categories {
		if n := counts[c.in(category).Name()]; n > 0 {
			filled = append(filled, &contentv1.CategoryCount{Id: category.ID, Name: category.Text("name"), Count: int32(n)})
		}
	}
	return filled
}
