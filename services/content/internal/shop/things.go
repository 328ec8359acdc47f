package shop

import (
	"slices"
	"unicode/utf8"

	"serein.app/services/content/internal/reading"
)

// maxSize is how many characters the name of a size may have, as baskets take them.
const maxSize = 40

// Pack of credits, paid once.
type Pack struct {
	ID, Name, Description string
	Credits               int64
	Price                 Amount
	// Saving in per cent against as many of the smallest pack.
	Saving int32
}

func (r *reader) pack(p reading.Page) (pack Pack, ok bool) {
	price, sold := amountOf(p.Value("price"), p.Text("currency"))
	credits, counted := whole(p.Value("credits"))
	if !sold || !counted || credits == 0 {
		r.fault(p, "it has no price, currency and credits that can be read")
		return pack, false
	}
	return Pack{
		ID: p.ID, Name: p.Text("name"), Description: p.Text("description"), Credits: credits, Price: price,
		Saving: int32(p.Number("saving")),
	}, true
}

// Product is a thing that is sent by post.
type Product struct {
	ID, Slug, Name, Description string
	Details                     []string
	Price                       Amount
	// Sizes is empty for a product without sizes.
	Sizes []Size
	// SoldOut: no size is left.
	SoldOut bool
	// Picture is the path of the file, empty without a picture. Alt describes it.
	Picture, Alt string

	pictureID string
}

// Size of a product.
type Size struct {
	Name    string
	SoldOut bool
}

func (r *reader) product(p reading.Page) (product Product, ok bool) {
	price, sold := amountOf(p.Value("price"), p.Text("currency"))
	if !sold {
		r.fault(p, "it has no price and currency that can be read")
		return product, false
	}
	product = Product{
		ID: p.ID, Slug: p.Text("slug"), Name: p.Text("name"), Description: p.Text("description"), Details: p.Texts("details"),
		Price: price, Sizes: r.sizes(p), Alt: p.Text("alt"), pictureID: p.Link("picture"),
	}
	left := slices.ContainsFunc(product.Sizes, func(s Size) bool { return !s.SoldOut })
	product.SoldOut = p.Is("soldOut") || len(product.Sizes) > 0 && !left
	for i := range product.Sizes {
		product.Sizes[i].SoldOut = product.Sizes[i].SoldOut || product.SoldOut
	}
	if len(product.Sizes) == 0 && len(p.Texts("sizes")) > 0 {
		return product, false // it has sizes, of which none can be asked for
	}
	return product, true
}

// sizes are identified by their names: a buyer cannot choose a size without a name, or with the name of another size.
func (r *reader) sizes(p reading.Page) (sizes []Size) {
	gone := p.Texts("soldOutSizes")
	for _, name := range p.Texts("sizes") {
		if name == "" || utf8.RuneCountInString(name) > maxSize || slices.ContainsFunc(sizes, func(s Size) bool { return s.Name == name }) {
			r.fault(p, "a size has no unique name")
			continue
		}
		sizes = append(sizes, Size{name, slices.Contains(gone, name)})
	}
	for _, name := range gone {
		if !slices.ContainsFunc(sizes, func(s Size) bool { return s.Name == name }) {
			r.fault(p, "a size is sold out that there is not: "+name)
		}
	}
	return sizes
}

// PictureIDs are the assets that the products show.
func (s Shop) PictureIDs() (ids []string) {
	for _, p := range s.Products {
		if p.pictureID != "" {
			ids = append(ids, p.pictureID)
		}
	}
	return ids
}

// AttachPictures sets the products' pictures. A product whose picture is missing keeps an empty path.
func (s Shop) AttachPictures(pictures map[string]reading.Picture) {
	for i, p := range s.Products {
		s.Products[i].Picture = pictures[p.pictureID].Path
	}
}
