package rpc

import (
	"context"
	"slices"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
)

// categories in their order. asked is one that must be among them, empty for none. Errors: CATEGORY_NOT_FOUND.
func (r *Reading) categories(ctx context.Context, asked string) ([]reading.Page, error) {
	all, err := r.inOrder(ctx, "category")
	if err != nil {
		return nil, err
	}
	if asked != "" && !slices.ContainsFunc(all, func(c reading.Page) bool { return c.ID == asked }) {
		return nil, reading.ErrCategory.On("category")
	}
	return all, nil
}

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
	pages, err := r.store.Pages(ctx, contentType)
	return reading.InOrder(pages), err
}

// counts says how many each of the filters shows, and how many f shows of each category, but for empty ones.
func (r *Reading) counts(ctx context.Context, categories []reading.Page, f reading.Filter, more ...reading.Filter) (map[reading.Filter]int, []*contentv1.CategoryCount, error) {
	filters := append(more, f)
	for _, c := range categories {
		of := f
		of.Category = c.ID
		filters = append(filters, of)
	}
	names := make([]string, len(filters))
	for i, filter := range filters {
		names[i] = filter.Name()
	}
	cards, err := r.store.ListCounts(ctx, names...)
	if err != nil {
		return nil, nil, err
	}
	counts := make(map[reading.Filter]int, len(filters))
	for i, filter := range filters {
		counts[filter] = cards[names[i]]
	}
	var filled []*contentv1.CategoryCount
	for _, c := range categories {
		of := f
		of.Category = c.ID
		if n := counts[of]; n > 0 {
			filled = append(filled, &contentv1.CategoryCount{Id: c.ID, Name: c.Text("name"), Count: int32(n)})
		}
	}
	return counts, filled, nil
}
