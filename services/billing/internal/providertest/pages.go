package providertest

import "context"

// MayUse says whether a member may use a code again.
func (p *Provider) MayUse(_ context.Context, code string, used int64) (bool, error) {
	return call(p, "MayUse", "", func() (bool, error) {
		most := p.codes[code]
		return most == 0 || used < most, nil
	})
}

// AsksForCodes says whether a session's page takes promotion codes.
func (p *Provider) AsksForCodes(session string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[session].PromotionCodes
}

// Methods are the kinds of payment that a session's page offers.
func (p *Provider) Methods(session string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[session].Methods
}
