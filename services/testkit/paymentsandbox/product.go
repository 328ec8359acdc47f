package paymentsandbox

import "maps"

type product struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Active      bool              `json:"active"`
	Metadata    map[string]string `json:"metadata"`
	Created     int64             `json:"created"`
	Updated     int64             `json:"updated"`
}

func (p *product) id() string { return p.ID }

func (p *product) show() object {
	return object{
		"id": p.ID, "object": "product", "active": p.Active, "created": p.Created, "updated": p.Updated, "livemode": false,
		"name": p.Name, "description": orNull(p.Description), "images": []string{}, "marketing_features": []object{},
		"metadata": p.Metadata, "default_price": nil, "package_dimensions": nil, "shippable": nil, "tax_code": nil, "url": nil,
	}
}

func (s *Sandbox) createProduct(c *call) (object, error) {
	p := &product{
		ID: c.text("id"), Name: c.must("name"), Description: c.text("description"), Active: c.flag("active", true),
		Metadata: c.pairs("metadata"), Created: s.now().Unix(), Updated: s.now().Unix(),
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	if p.ID == "" {
		p.ID = newID("prod")
	}
	if _, there := s.state.Products.get(p.ID); there {
		return nil, invalid("id", "resource_already_exists", "Product already exists.")
	}
	s.state.Products.add(p)
	s.tell("product.created", p.show())
	return p.show(), nil
}

func (s *Sandbox) product(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	p, ok := s.state.Products.get(c.path)
	if !ok {
		return nil, missing("product", c.path)
	}
	return p.show(), nil
}

func (s *Sandbox) updateProduct(c *call) (object, error) {
	p, ok := s.state.Products.get(c.path)
	if !ok {
		return nil, missing("product", c.path)
	}
	changed := *p
	if c.has("name") {
		changed.Name = c.must("name")
	}
	changed.Active = c.flag("active", p.Active)
	changed.Metadata = maps.Clone(p.Metadata)
	maps.Copy(changed.Metadata, c.pairs("metadata"))
	if err := c.finish(); err != nil {
		return nil, err
	}
	changed.Updated = s.now().Unix()
	*p = changed
	s.tell("product.updated", p.show())
	return p.show(), nil
}

// orNull shows an empty text as Stripe does.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
