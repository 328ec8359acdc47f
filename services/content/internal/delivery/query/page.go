package query

import (
	"math"
	"strconv"
)

// Limits of pages and includes.
const (
	defaultLimit   = 100
	maxLimit       = 1000
	defaultInclude = 1
	maxInclude     = 10
)

// page reads which part of the list is asked for.
func (p *parser) page() (err error) {
	page := &p.q.Page
	if page.Limit, err = p.number("limit", defaultLimit, maxLimit); err != nil {
		return err
	}
	if page.Skip, err = p.number("skip", 0, math.MaxInt32); err != nil {
		return err
	}
	if p.q.Of != Entries && p.q.Of != Assets {
		return nil
	}
	return p.cursor(page)
}

func (p *parser) cursor(page *Page) error {
	cursor, given := p.take("cursor")
	if given && cursor != "true" && cursor != "false" {
		return bad("cursor is true or false.")
	}
	page.Cursor = cursor == "true"
	page.Next, _ = p.take("pageNext")
	page.Prev, _ = p.take("pagePrev")
	switch {
	case !page.Cursor && (page.Next != "" || page.Prev != ""):
		return bad("pageNext and pagePrev need cursor=true.")
	case page.Next != "" && page.Prev != "":
		return bad("pageNext and pagePrev exclude each other.")
	case page.Cursor && page.Skip > 0:
		return bad("skip has no meaning with cursor=true.")
	case page.Cursor && page.Limit == 0:
		return bad("A page by cursor has at least one item.")
	}
	return nil
}

func (p *parser) include() (err error) {
	if p.q.Of != Entries && p.q.Of != Assets {
		return nil
	}
	p.q.Include, err = p.number("include", defaultInclude, maxInclude)
	return err
}

// number reads a whole number from 0 to most.
func (p *parser) number(name string, otherwise, most int) (int, error) {
	text, ok := p.take(name)
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, bad("The value provided for %q is invalid. Please provide a whole number from 0 to %d.", name, most)
	}
	return n, nil
}
